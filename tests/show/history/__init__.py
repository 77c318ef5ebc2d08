"""Tests of `overtrick.show.history`."""
