"""Tests of `overtrick.apps.deliver`."""
