"""What holds for everything that is read and written, not only where a test of its own looks."""
