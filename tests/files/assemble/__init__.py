"""Tests of assemble."""
