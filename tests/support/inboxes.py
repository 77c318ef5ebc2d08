"""Files that a club puts into its inbox, and what happens to them."""

from pathlib import Path

RESULTS = "board,ns,ew,contract,declarer,tricks\n1,1,2,3NT,N,9\n1,3,4,3NT,N,8\n2,1,4,4S,E,10\n2,3,2,4S,E,11\n"
OTHER_RESULTS = RESULTS.replace("1,3,4,3NT,N,8", "1,3,4,3NT,N,10")
DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
DEALS = "".join(
    f'[Board "{board}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vulnerable}"]\n[Deal "{DEAL}"]\n\n'
    for board, dealer, vulnerable in ((1, "N", "None"), (2, "E", "NS"))
)


def evening(date: str = "2026.03.03", tricks: int = 9) -> str:
    """Write a session as one PBN file: two games of one board."""
    return "".join(
        f'[Date "{date}"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n'
        f'[Table "{table}"]\n[PairNS "{table}"]\n[PairEW "{table + 10}"]\n[Declarer "N"]\n[Contract "3NT"]\n'
        f'[Result "{tricks - table}"]\n\n'
        for table in (1, 2)
    )


def drop(folder: Path, **files: str) -> None:
    """Put files into a folder; `tuesday_pbn` is `tuesday.pbn`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text, "utf-8")


def lying(folder: Path) -> list[str]:
    """List the files in a folder and below it, without what is hidden."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in paths if not path.parts[0].startswith("."))
