"""Portable Bridge Notation, PBN 1.0 to 2.1.

`tags` is the one table of tags, `read` makes frames of a file, `verify` checks it against the standard, `write` makes
files of a session. The language itself is `grammars/pbn.lark`.
"""
