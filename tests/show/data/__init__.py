"""Tests of data documents."""
