"""Tests of the public names, notebooks and plugins."""
