"""The documents to print, and the pictures of shared links, which are documents of one page."""
