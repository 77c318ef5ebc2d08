"""Holding PBN against its standard: what is read, and has not the form that the standard gives it."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "pbn-line-length": Code(
        "warning",
        "this line has {length} characters; at most 254 may stand before its end",
        "Break the line, or shorten the value: other programs may cut it.",
        "PBN 2.3",
        tolerance=True,
    ),
    "pbn-character": Code(
        "warning",
        "PBN has no such characters: {characters}",
        "Write the text with the characters of ISO 8859-1 that print.",
        "PBN 2.2",
        tolerance=True,
    ),
    "pbn-character-set": Code(
        "info",
        "the file is in {encoding}; PBN is written in ISO 8859-1, where this character reads differently",
        "Nothing to do here; older programs may show such letters wrong.",
        "PBN 2.2",
    ),
    "pbn-string-tab": Code(
        "warning", "the value of tag {name} holds a tab", "Write a space for it.", "PBN 3.2", tolerance=True
    ),
    "pbn-tag-unknown": Code(
        "info",
        "tag {name} is none of PBN's own; it is kept (times in this file: {times})",
        "Nothing to do if a program of yours uses it; otherwise check its spelling.",
        "PBN 4.9",
        tolerance=True,
    ),
    "pbn-tag-case": Code(
        "warning",
        "tag {name} is written {correct} in PBN; it is kept and not used",
        "Correct the name: capitals and small letters count in it.",
        "PBN 3.3",
        tolerance=True,
    ),
    "pbn-tag-name": Code(
        "warning",
        "tag {name} does not begin with a capital letter",
        "Begin the tag's name with a capital letter.",
        "PBN 3.3",
        tolerance=True,
    ),
    "pbn-value": Code(
        "warning",
        '[{name} "{value}"] has not the form of PBN {section}: expected {expected}; it is kept as written',
        "Correct the value, or leave it empty.",
        "PBN 3.4 and 4",
        tolerance=True,
    ),
    "pbn-value-unlisted": Code(
        "info",
        '[{name} "{value}"] is none of the values that PBN {section} lists; it is kept (times in this file: {times})',
        "Nothing to do unless it is a slip: the list is open.",
        "PBN 3.4 and 4",
        tolerance=True,
    ),
    "pbn-section-needs": Code(
        "warning",
        "section {name} stands without a tag that it needs before it: {missing}",
        "Add the tag above the section.",
        "PBN 3.1",
        tolerance=True,
    ),
    "pbn-section-order": Code(
        "info",
        "tag {name} stands below section {section}, which needs it before",
        "Nothing to do here; other programs may not find it.",
        "PBN 3.1",
        tolerance=True,
    ),
    "pbn-call-spelling": Code(
        "info",
        "{text} is understood, but is no call of PBN",
        "PBN's calls are Pass, X, XX, AP and bids such as 1C or 3NT.",
        "PBN 3.5.1",
        tolerance=True,
    ),
    "pbn-card-spelling": Code(
        "info", "{text} is understood, but PBN writes the ten as T", "Write T for 10.", "PBN 3.6.1", tolerance=True
    ),
    "pbn-after-end": Code(
        "warning",
        "the section ends here, and more follows: {text}",
        "* ends a section for good; + stands once, for the call or card to be made next.",
        "PBN 3.5 and 3.6",
        tolerance=True,
    ),
    "pbn-play-seat": Code(
        "info",
        '[{name} "{value}"] does not name the opening leader, {leader}',
        "Nothing to do here; other programs may give the cards to the wrong hands.",
        "PBN 3.6",
        tolerance=True,
    ),
    "pbn-result-lone": Code(
        "warning",
        '[{name} "{value}"] gives declarer\'s tricks, and no declarer is known',
        "Add the Declarer tag, or say whose tricks they are, such as NS 9.",
        "PBN 3.4.15",
        tolerance=True,
    ),
    "pbn-result-sum": Code(
        "warning",
        '[{name} "{value}"]: both sides have {total} tricks together, and a hand has 13; the first number counts',
        "Correct the tricks of one side.",
        "PBN 3.4.15",
        tolerance=True,
    ),
    "pbn-passed-out": Code(
        "info",
        '[{name} "{value}"] stands in a game that was passed out, where this tag is empty',
        "Nothing to do if all four players passed.",
        "PBN 3.4.13 and 3.4.15",
        tolerance=True,
    ),
    "pbn-contract-no-level": Code(
        "warning",
        '[{name} "{value}"] has no level, and the hands are no end position',
        "Write the whole contract, such as 4H.",
        "PBN 3.10",
        tolerance=True,
    ),
    "pbn-contract-end-position": Code(
        "info",
        '[{name} "{value}"] is a whole contract; an end position states nothing but the denomination',
        "Nothing to do, unless the hands should have 13 cards.",
        "PBN 3.10",
        tolerance=True,
    ),
    "pbn-rubber-history": Code(
        "warning",
        '[{name} "{value}"] can\'t be: {fault}',
        "Correct the points below the line, or the vulnerability.",
        "PBN 4.2.6",
        tolerance=True,
    ),
    "pbn-deal-id": Code(
        "warning",
        '[{name} "{value}"] is the identity of another deal already',
        "Give each deal an identity of its own.",
        "PBN 4.1.2",
        tolerance=True,
    ),
    "pbn-suffix": Code(
        "warning", "{mark} is no suffix", "The suffixes are ! ? !! ?? !? and ?!.", "PBN 3.5.3", tolerance=True
    ),
    "pbn-nag": Code(
        "warning",
        "{mark} can't annotate a {at}",
        "They go from $0 to $255; $1 to $6 and $13 are for calls, $7 to $12 and $14 for cards.",
        "PBN 3.7",
        tolerance=True,
    ),
    "pbn-note-reference": Code(
        "warning", "{mark} refers to no note", "Notes are numbered from 1 to 32.", "PBN 3.5.4", tolerance=True
    ),
    "pbn-irregularity": Code(
        "warning",
        "{mark} is no irregularity of a {at}",
        "^I and ^S stand before calls, ^R and ^L before cards.",
        "PBN 3.9",
        tolerance=True,
    ),
    "pbn-annotation-lone": Code(
        "warning",
        "{text} stands at no call or card",
        "Suffixes, notes and NAGs stand after a call or card, ^I, ^R and ^L before one.",
        "PBN 3.5.2 and 3.9",
        tolerance=True,
    ),
    "pbn-annotation-repeated": Code(
        "warning",
        "{mark} says again what is said of this {at} or trick already",
        "A call or card has one suffix or its NAG, one note and one irregularity; a trick has one ^L.",
        "PBN 3.5.2",
        tolerance=True,
    ),
    "pbn-note": Code(
        "warning",
        '[Note "{value}"] {fault}',
        'A note looks like [Note "1:weak"] and stands below the calls or cards that refer to it.',
        "PBN 3.5.5",
        tolerance=True,
    ),
    "pbn-note-missing": Code(
        "warning",
        "={text}= refers to a note that this section has not",
        "Add the Note tag below the calls or cards.",
        "PBN 3.5.4",
        tolerance=True,
    ),
    "pbn-note-unused": Code(
        "info",
        "no {part} refers to note {number}",
        "Nothing to do; or refer to it, such as =1=.",
        "PBN 3.5.5",
        tolerance=True,
    ),
    "pbn-table-column": Code(
        "warning",
        "column {heading} of {name} {fault}",
        "A column is written Name, or Name\\3R: at least 3 characters wide, to the right.",
        "PBN 5.2",
        tolerance=True,
    ),
    "pbn-table-cell": Code(
        "info",
        "column {heading} of {name} holds {value}: expected {expected} (times in this file: {times})",
        "Write ? for unknown, - for nothing, and ^ before an artificial score.",
        "PBN 5.2",
        tolerance=True,
    ),
    "pbn-table-order": Code(
        "warning",
        "column {heading} of {name} is not {promised} from here on, as its header says",
        "Sort the rows, or take the + or - out of the header.",
        "PBN 5.2",
        tolerance=True,
    ),
    "pbn-table-comment": Code(
        "warning",
        "a comment stands among or after the cells of {name}",
        "Put the comment right after the table's tag.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-export-form": Code(
        "info",
        "the file says % EXPORT, but this game is not in export form: {fault}",
        "Nothing to do here; overtrick convert --export writes it in export form.",
        "PBN 2.1 and 3.4",
    ),
}
