"""Tests of `overtrick.show.pdf`."""
