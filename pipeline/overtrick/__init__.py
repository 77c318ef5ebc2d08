"""overtrick: bridge results from text files, checked, scored, ranked and published.

The story is told in `overtrick.pipeline`; the shape of what flows through it in `overtrick.frames`.
"""

import os

# What one step lets go of the next one takes: memory that polars keeps for ten seconds, not half of one, need not be
# asked of the system again. That is read when polars is loaded.
os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:10000")

__version__ = "0.1.0"
