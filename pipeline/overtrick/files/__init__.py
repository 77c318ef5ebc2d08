"""Bytes to one evening and back: formats, assembling, corrections, mends."""
