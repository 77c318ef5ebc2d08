"""One table of an Access database as CSV: `python access.py DATABASE TABLE`, what `mdb-export` prints.

For machines without mdbtools. It runs in a process of its own, so that a damaged file can be given up on. The
file is run by its path, not as a module, to load only what it needs. The exit status is 1 without the table.
"""

import csv
import logging
import sys


def print_table(database: str, table: str) -> None:
    """Print a table: a line of names, then a line for each row; true and false are 1 and 0."""
    logging.disable()
    from access_parser import AccessParser  # noqa: PLC0415 - it complains of sound files as it is loaded

    columns = AccessParser(database).parse_table(table)
    if not columns:
        sys.exit(1)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(int(value) if isinstance(value, bool) else value for value in row)


if __name__ == "__main__":
    print_table(*sys.argv[1:3])
