"""The options of `overtrick correct`: which result or contestant, and what is right."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from overtrick.apps.cli.options import must_exist, option
from overtrick.core.bridge.methods import MethodName

Evening = Annotated[
    Path, Argument(metavar="EVENING", callback=must_exist, help="One of the evening's files, or its folder.")
]

Board = Annotated[int | None, option("--board", "N", "The board.")]
Pair = Annotated[str | None, option("--pair", "ID", "A pair, team or player: number or names.")]
Section = Annotated[str | None, option("--section", "S", "The section.")]
Round = Annotated[str | None, option("--round", "R", "The round.")]
Table = Annotated[str | None, option("--table", "T", "The table.")]
Direction = Annotated[
    Literal["NS", "EW"] | None, Option("--direction", help="The side of --pair, if another pair has the same number.")
]

Contract = Annotated[str | None, option("--contract", "CONTRACT", "Such as 4S, 3NTX, 4S+1 N, Pass. Scored anew.")]
By = Annotated[str | None, option("--by", "SEAT", "The declarer: N, E, S or W.")]
Tricks = Annotated[str | None, option("--tricks", "N", "The tricks that declarer won: 10, or =, +1, -2.")]
Lead = Annotated[str | None, option("--lead", "CARD", "The opening lead: DK.")]
Score = Annotated[int | None, option("--score", "N", "Points for N-S, if they are not those of the contract.")]
Swap = Annotated[bool, Option("--swap", help="The two pairs sat the other way.")]
OtherPair = Annotated[str | None, option("--other-pair", "ID", "Who played instead of --pair; with --add, E-W.")]
Add = Annotated[
    bool, Option("--add", help="Add a result of --pair (N-S) against --other-pair, with --contract or --award.")
]
Players = Annotated[str | None, option("--players", "N,E,S,W", "With --add in an individual: the four players.")]
Delete = Annotated[bool, Option("--delete", help="Remove the result.")]
NotPlayed = Annotated[bool, Option("--not-played", help="The table did not play the board.")]

Award = Annotated[tuple[str, str] | None, option("--award", "NS EW", "An artificial score: 60% 40%, A+ A-.")]
Split = Annotated[
    tuple[int, int] | None, option("--split", "NS EW", "A score for each side, from its own point of view: 620 -650.")
]
Weighted = Annotated[str | None, option("--weighted", "WEIGHT:SCORE,...", "Outcomes with weights: 60:620,40:-100.")]
Assigned = Annotated[int | None, option("--assigned", "N", "An assigned score, points for N-S.")]
Fouled = Annotated[str | None, option("--fouled", "ID,...", "The N-S pairs that played the board in another form.")]
Penalty = Annotated[
    tuple[float, str] | None, option("--penalty", "AMOUNT UNIT", "A penalty: 25 percent, 0.25 top, 2 points.")
]
Disciplinary = Annotated[bool, Option("--disciplinary", help="With --penalty: under Law 91, not Law 90.")]
CarryOver = Annotated[
    str | None, option("--carry-over", "POINTS", "What the pair brings from an earlier stage: 3, or score/top: 60/100.")
]
Handicap = Annotated[float | None, option("--handicap", "AMOUNT", "The pair's handicap.")]

Name = Annotated[str | None, option("--name", '"A - B"', "The names of --pair.")]
Player = Annotated[tuple[str, str] | None, option("--player", "OLD NEW", "A player's name, wherever it is.")]
Substitute = Annotated[
    tuple[str, str] | None, option("--substitute", "PLAYER SUBSTITUTE", "Who played in whose place.")
]
Boards = Annotated[str | None, option("--boards", "N,...", "With --substitute: on these boards only.")]
Title = Annotated[str | None, option("--title", "TEXT", "The name of the event.")]
Date = Annotated[str | None, option("--date", "DAY", "The day: 2026-03-07.")]
Club = Annotated[str | None, option("--club", "TEXT", "The club or place.")]
Scored = Annotated[MethodName | None, option("--method", "NAME", "The scoring method.")]
Cards = Annotated[
    tuple[str, str] | None, option("--cards", "CARD CARD", "Two cards of --board that change places: SA H2.")
]
Tie = Annotated[str | None, option("--tie", "WINNER", "Who won a tie, by lot.")]
Extra = Annotated[str | None, option("--extra", "SCORE", "With --tie: decided on extra boards, with this score.")]

Why = Annotated[str | None, option("--why", "TEXT", "The reason. It is published.")]
Who = Annotated[str | None, option("--who", "NAME", "Who corrected or decided. It is published.")]
List = Annotated[bool, Option("--list", help="Print the entries in order, and change nothing.")]
Replace = Annotated[int | None, option("--replace", "N", "Put the entry in the place of number N of --list.", min=1)]
Undo = Annotated[int | None, option("--undo", "[N]", "Remove entry number N of --list. Default: the last.")]
TakeBack = Annotated[
    int | None, option("--take-back", "N", "Let entry number N of --list stay on record and not count.", min=1)
]
PutAgain = Annotated[int | None, option("--put-again", "N", "Let an entry that was taken back count again.", min=1)]
