"""Tests of what pages show."""
