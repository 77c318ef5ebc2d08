"""The options of `overtrick correct`: which result or contestant, and what is right."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from overtrick.apps.cli.options import must_exist
from overtrick.core.bridge.methods import MethodName

Evening = Annotated[
    Path, Argument(metavar="EVENING", callback=must_exist, help="One of the evening's files, or its folder.")
]

Board = Annotated[int | None, Option("--board", metavar="N", help="The board.")]
Pair = Annotated[str | None, Option("--pair", metavar="ID", help="A pair, team or player: number or names.")]
Section = Annotated[str | None, Option("--section", metavar="S", help="The section.")]
Round = Annotated[str | None, Option("--round", metavar="R", help="The round.")]
Table = Annotated[str | None, Option("--table", metavar="T", help="The table.")]
Direction = Annotated[
    Literal["NS", "EW"] | None, Option("--direction", help="The side of --pair, if another pair has the same number.")
]

Contract = Annotated[
    str | None, Option("--contract", metavar="CONTRACT", help="Such as 4S, 3NTX, 4S+1 N, Pass. Scored anew.")
]
By = Annotated[str | None, Option("--by", metavar="SEAT", help="The declarer: N, E, S or W.")]
Tricks = Annotated[str | None, Option("--tricks", metavar="N", help="The tricks that declarer won: 10, or =, +1, -2.")]
Lead = Annotated[str | None, Option("--lead", metavar="CARD", help="The opening lead: DK.")]
Score = Annotated[
    int | None, Option("--score", metavar="N", help="Points for N-S, if they are not those of the contract.")
]
Swap = Annotated[bool, Option("--swap", help="The two pairs sat the other way.")]
OtherPair = Annotated[
    str | None, Option("--other-pair", metavar="ID", help="Who played instead of --pair; with --add, E-W.")
]
Add = Annotated[
    bool, Option("--add", help="Add a result of --pair (N-S) against --other-pair, with --contract or --award.")
]
Players = Annotated[
    str | None, Option("--players", metavar="N,E,S,W", help="With --add in an individual: the four players.")
]
Delete = Annotated[bool, Option("--delete", help="Remove the result.")]
NotPlayed = Annotated[bool, Option("--not-played", help="The table did not play the board.")]

Award = Annotated[
    tuple[str, str] | None, Option("--award", metavar="NS EW", help="An artificial score: 60% 40%, A+ A-.")
]
Split = Annotated[
    tuple[int, int] | None,
    Option("--split", metavar="NS EW", help="A score for each side, from its own point of view: 620 -650."),
]
Weighted = Annotated[
    str | None, Option("--weighted", metavar="WEIGHT:SCORE,...", help="Outcomes with weights: 60:620,40:-100.")
]
Assigned = Annotated[int | None, Option("--assigned", metavar="N", help="An assigned score, points for N-S.")]
Fouled = Annotated[
    str | None, Option("--fouled", metavar="ID,...", help="The N-S pairs that played the board in another form.")
]
Penalty = Annotated[
    tuple[float, str] | None,
    Option("--penalty", metavar="AMOUNT UNIT", help="A penalty: 25 percent, 0.25 top, 2 points."),
]
Disciplinary = Annotated[bool, Option("--disciplinary", help="With --penalty: under Law 91, not Law 90.")]
CarryOver = Annotated[
    str | None,
    Option(
        "--carry-over", metavar="POINTS", help="What the pair brings from an earlier stage: 3, or score/top: 60/100."
    ),
]
Handicap = Annotated[float | None, Option("--handicap", metavar="AMOUNT", help="The pair's handicap.")]

Name = Annotated[str | None, Option("--name", metavar='"A - B"', help="The names of --pair.")]
Player = Annotated[
    tuple[str, str] | None, Option("--player", metavar="OLD NEW", help="A player's name, wherever it is.")
]
Substitute = Annotated[
    tuple[str, str] | None, Option("--substitute", metavar="PLAYER SUBSTITUTE", help="Who played in whose place.")
]
Boards = Annotated[str | None, Option("--boards", metavar="N,...", help="With --substitute: on these boards only.")]
Title = Annotated[str | None, Option("--title", metavar="TEXT", help="The name of the event.")]
Date = Annotated[str | None, Option("--date", metavar="DAY", help="The day: 2026-03-07.")]
Club = Annotated[str | None, Option("--club", metavar="TEXT", help="The club or place.")]
Scored = Annotated[MethodName | None, Option("--method", metavar="NAME", help="The scoring method.")]
Cards = Annotated[
    tuple[str, str] | None,
    Option("--cards", metavar="CARD CARD", help="Two cards of --board that change places: SA H2."),
]
Tie = Annotated[str | None, Option("--tie", metavar="WINNER", help="Who won a tie, by lot.")]
Extra = Annotated[
    str | None, Option("--extra", metavar="SCORE", help="With --tie: decided on extra boards, with this score.")
]

Why = Annotated[str | None, Option("--why", metavar="TEXT", help="The reason. It is published.")]
Who = Annotated[str | None, Option("--who", metavar="NAME", help="Who corrected or decided. It is published.")]
List = Annotated[bool, Option("--list", help="Print the entries in order, and change nothing.")]
Replace = Annotated[
    int | None, Option("--replace", metavar="N", min=1, help="Put the entry in the place of number N of --list.")
]
Undo = Annotated[
    int | None, Option("--undo", metavar="[N]", help="Remove entry number N of --list. Default: the last.")
]
TakeBack = Annotated[
    int | None,
    Option("--take-back", metavar="N", min=1, help="Let entry number N of --list stay on record and not count."),
]
PutAgain = Annotated[
    int | None, Option("--put-again", metavar="N", min=1, help="Let an entry that was taken back count again.")
]
