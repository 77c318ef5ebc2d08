"""overtrick: bridge results from text files, checked, scored, ranked and published.

The story is told in `overtrick.pipeline`; the shape of what flows through it in `overtrick.frames`.
"""

__version__ = "0.1.0"
