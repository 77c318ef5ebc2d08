"""PBN text to frames: text -> `batches` -> `entries` -> `games` -> `tag_columns` -> `records`, `score_tables`."""
