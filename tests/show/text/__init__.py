"""Tests of `overtrick.show.text`."""
