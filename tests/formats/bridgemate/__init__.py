"""Tests of bridgemate."""
