"""Tests of numbers."""
