"""Tests of correct."""
