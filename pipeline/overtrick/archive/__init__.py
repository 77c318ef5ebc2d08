"""Many files, one archive: Delta tables made once, kept right, and read by polars, DuckDB and Spark."""
