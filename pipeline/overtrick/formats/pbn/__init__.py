"""Portable Bridge Notation (PBN 1.0 to 2.1)."""
