"""Words and numbers for people: on a terminal, and in every language of the pages."""
