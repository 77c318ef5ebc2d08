"""Tests of `overtrick.show`."""
