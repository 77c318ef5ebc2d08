"""`python -m overtrick` is the command `overtrick`."""

from overtrick.apps.cli import main

if __name__ == "__main__":
    main()
