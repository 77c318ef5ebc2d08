"""Tests of `overtrick.files`."""
