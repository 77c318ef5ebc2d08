"""Tests of archive."""
