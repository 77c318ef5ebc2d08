"""Writing LIN: as it was read, or from the records of a session; and links to the viewer."""
