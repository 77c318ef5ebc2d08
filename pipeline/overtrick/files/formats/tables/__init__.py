"""Tables of results: what people and programs call the columns, how they spell the cells, and the frames of both."""
