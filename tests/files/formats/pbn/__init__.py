"""Tests of pbn."""
