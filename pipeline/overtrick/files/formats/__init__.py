"""The file formats: one home each, with what reads it, what writes it and what finds a place in it."""
