"""Run the public readers of PBN and LIN on the files of this folder, and write what they read to `results.md`.

`python docs/conformance/readers.py [NODE_MODULES]` compares the readers that are installed: endplay and bridgebots as
Python packages, and pbn from npm in the folder NODE_MODULES. Each adapter below only copies what its reader says into
the keys of README.md. A key that a reader does not offer is not compared.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in {".pbn", ".lin"})
Records = list[dict[str, Any]]


def read_with_endplay(path: Path) -> Records:
    """Return endplay's boards."""
    from endplay.parsers import lin, pbn  # noqa: PLC0415 - need not be installed

    with path.open(encoding="utf-8") as file:
        boards = (pbn if path.suffix == ".pbn" else lin).load(file)
    return [_of_endplay(board) for board in boards]


def _of_endplay(board: Any) -> dict[str, Any]:
    sides = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}
    contract = board.contract
    row: dict[str, Any] = {
        "board": board.board_num,
        "dealer": board.dealer.abbr if board.dealer is not None else None,
        "vulnerable": sides[board.vul.name] if board.vul is not None else None,
        "deal": board.deal.to_pbn() if board.deal is not None else None,
        "calls": len(board.auction) or None,
        "cards": len(board.play) or None,
    }
    if contract is None:
        return row | {"contract": None, "declarer": None, "tricks": None}
    if contract.level == 0:
        return row | {"contract": "Pass", "declarer": None, "tricks": None}
    doubled = {"passout": "", "doubled": "X", "redoubled": "XX"}.get(contract.penalty.name, "")
    strain = {"nt": "NT"}.get(contract.denom.name, contract.denom.name[:1].upper())
    tricks = contract.level + 6 + contract.result
    return row | {
        "contract": f"{contract.level}{strain}{doubled}",
        "declarer": contract.declarer.abbr,
        "tricks": tricks,
    }


def read_with_bridgebots(path: Path) -> Records:
    """Return bridgebots' board records; it offers no board numbers of PBN files."""
    import bridgebots  # noqa: PLC0415 - need not be installed

    logging.disable()
    deals = bridgebots.parse_pbn(path) if path.suffix == ".pbn" else bridgebots.parse_single_lin(path)
    return [_of_bridgebots(deal.deal, record) for deal in deals for record in deal.board_records]


def _of_bridgebots(deal: Any, record: Any) -> dict[str, Any]:
    sides = {(False, False): "None", (True, False): "NS", (False, True): "EW", (True, True): "All"}
    order = sorted(deal.hands, key=lambda seat: "NESW".index(seat.abbreviation()))
    hands = [
        ".".join("".join(rank.abbreviation() for rank in deal.hands[seat].suits[suit]) for suit in _suits(deal, seat))
        for seat in order
    ]
    bid = record.contract
    suit = bid.suit.abbreviation() if bid.suit else ""
    contract = "Pass" if not bid.level else f"{bid.level}{suit}{'X' * bid.doubled}"
    return {
        "dealer": deal.dealer.abbreviation(),
        "vulnerable": sides[deal.ns_vulnerable, deal.ew_vulnerable],
        "deal": f"N:{' '.join(hands)}",
        "contract": contract,
        "declarer": record.declarer.abbreviation() if record.declarer else None,
        "tricks": record.tricks,
        "calls": len(record.bidding_record) or None,
        "cards": len(record.play_record) or None,
    }


def _suits(deal: Any, seat: Any) -> list[Any]:
    return sorted(deal.hands[seat].suits, key=lambda suit: "SHDC".index(suit.abbreviation()))


NODE = """
const fs = require("fs"), pbn = require(process.argv[1] + "/pbn"), games = [];
let game = null;
fs.createReadStream(process.argv[2]).pipe(pbn())
  .on("data", (item) => {
    if (item.type === "game") games.push(game = {tags: {}});
    if (item.type === "tag") game.tags[item.name] = item;
  })
  .on("end", () => console.log(JSON.stringify(games)));
"""


def read_with_npm(packages: str) -> Callable[[Path], Records]:
    """Return the reader pbn of npm, in that folder of packages; it offers the tags as text and the deal."""

    def read(path: Path) -> Records:
        command = ["node", "-e", NODE, str(Path(packages).resolve()), str(path)]
        games = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        return [_of_npm(game["tags"]) for game in games]

    return read


def _of_npm(tags: dict[str, Any]) -> dict[str, Any]:
    values = {name: None if (text := tag.get("value")) in {"?", ""} else text for name, tag in tags.items()}
    row = {key: values.get(key.title()) for key in ("board", "dealer", "vulnerable", "contract", "declarer")}
    row["board"] = int(row["board"]) if str(row["board"]).isdecimal() else row["board"]
    row["deal"] = _turned(values["Deal"]) if values.get("Deal") else None
    row["tricks"] = int(values["Result"]) if str(values.get("Result")).isdecimal() else values.get("Result")
    return row


def _turned(deal: str) -> str:
    """Return a deal with North's hand first."""
    first, _, hands = deal.partition(":")
    seats = hands.split(" ")
    turn = -"NESW".index(first) % 4
    return f"N:{' '.join(seats[turn:] + seats[:turn])}"


def compare(read: Callable[[Path], Records], path: Path) -> str:
    """Return `same`, or what differs: the keys, the number of records, or that the reader raised."""
    expected = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))["records"]
    try:
        found = read(path)
    except Exception as error:  # noqa: BLE001 - whatever another reader does
        return f"raises {type(error).__name__}"
    if len(found) != len(expected):
        return f"{len(found)} of {len(expected)} records"
    keys = [
        key
        for key in expected[0]
        if any(key in one and one[key] != other[key] for one, other in zip(found, expected, strict=True))
    ]
    return "differs: " + ", ".join(keys) if keys else "same"


def main() -> None:
    """Compare all readers and write the table."""
    readers: dict[str, tuple[Callable[[Path], Records], tuple[str, ...]]] = {
        f"endplay {version('endplay')}": (read_with_endplay, (".pbn", ".lin")),
        f"bridgebots {version('bridgebots')}": (read_with_bridgebots, (".pbn", ".lin")),
    }
    if len(sys.argv) > 1:
        about = json.loads((Path(sys.argv[1]) / "pbn" / "package.json").read_text("utf-8"))
        readers[f"pbn {about['version']} (npm)"] = (read_with_npm(sys.argv[1]), (".pbn",))
    lines = [
        "# What public readers read",
        "",
        "Written by `readers.py` in this folder; each column is a reader in the version that was installed.",
        "`same`: all keys that the reader offers are as expected. `differs`: these keys are not.",
        "A difference may be a choice of that reader, such as an exception for a deal with a fault.",
        "",
        f"| file | {' | '.join(readers)} |",
        f"|---|{'---|' * len(readers)}",
    ]
    for path in FILES:
        cells = [compare(read, path) if path.suffix in forms else "-" for read, forms in readers.values()]
        lines.append(f"| {path.name} | {' | '.join(cells)} |")
    (FOLDER / "results.md").write_text("\n".join(lines) + "\n", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
