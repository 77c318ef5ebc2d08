"""One table of an Access database as CSV: `python access.py DATABASE TABLE`, what `mdb-export` prints.

For machines without mdbtools, run in a process of its own as that is, so that a damaged file can be given up on. The
file is run by its path, not as a module, to load nothing but what it needs. Ends with status 1 without the table.
"""

import csv
import logging
import sys


def print_table(database: str, table: str) -> None:
    """Print a table: a line of names, then a row a line; true and false are 1 and 0, and what is empty is nothing."""
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
