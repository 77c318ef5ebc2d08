"""Tests of usebio."""
