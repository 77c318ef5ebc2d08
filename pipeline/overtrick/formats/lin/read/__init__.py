"""LIN text to frames."""
