"""What people see: words and numbers, the history of a publication, pages, documents, data files, and the website."""
