"""Tests of inbox."""
