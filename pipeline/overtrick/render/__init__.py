"""From frames to what people read: the website, the PDF, terminal tables and data files."""
