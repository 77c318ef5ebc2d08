"""The game itself: pure functions and constants that know no files and no pages."""
