"""Everything that people see: words and numbers, histories of publications, pages, documents, data files, websites."""
