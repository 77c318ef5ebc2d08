"""An evening as a scorer works on it: its files, its corrections, its pages and where they are published.

The command line and the desk both call this package, so that they leave the same files.

    edit       the corrections file: what a change would do, writing it, taking it back
"""
