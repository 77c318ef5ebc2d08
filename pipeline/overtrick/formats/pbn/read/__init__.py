"""PBN text to frames."""
