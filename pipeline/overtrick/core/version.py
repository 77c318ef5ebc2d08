"""The version of overtrick: all else takes it from here."""

__version__ = "0.1.0"
