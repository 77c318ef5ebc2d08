"""An archive of many files: Delta tables, updated in one step, for polars, DuckDB and Spark to read."""
