"""The policy that explains the numbers of a file: each setting that could is tried, alone and with others.

A policy is found if it explains all stated numbers but one in fifty (one always), and the usual rules miss at least
three times as many.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.methods import Method, Settings, method_named
from overtrick.core.bridge.victory_points import Bands, are_imps, learn_from_totals, learn_scale
from overtrick.core.config import Scoring
from overtrick.core.config.scoring import HouseScale
from overtrick.core.frames import PROBLEMS, Problems, Session, empty
from overtrick.core.problems import concat_problems, report
from overtrick.judge.numbers.stated import Account, Told, account, count_unprinted, states_totals, word_differences
from overtrick.judge.rank import rank
from overtrick.judge.score import score

_COMMON: Final[tuple[Settings, ...]] = ({"field": "all"}, {"field": "section"}, {"stated_view": "points-ew"})
"""Settings that are tried beside those of the method, where boards are compared."""

_WINNERS: Final[tuple[Settings, ...]] = (
    {"winners": 1},
    {"winners": 2},
    {"field": "all"},
    {"field": "all", "winners": 1},
)
"""Settings that are tried where the file states places alone."""

_ON_LINES: Final[tuple[Settings, ...]] = tuple(
    {"method": "cross-imps", "cross_divisor": divisor} for divisor in ("comparisons", "scores", "none")
)
"""What lines of a match of teams may state in place of what the match earned."""

_WIDE: Final = (3, 2)
"""The number of best policies that are tried together with all others: of single ones, and of two together."""

_CLEAR: Final = 2
"""Two policies that explain nearly as much are told apart by this many numbers."""

_FEW: Final = 3
"""So many lines and contestants are told one by one, also where they are more than one in fifty."""

_TIMES: Final = 3
"""The usual rules miss at least so many times what a policy misses."""

_MOST_RANKED: Final = 2000
"""The most contestants for whom policies are tried: each try scores and ranks them all."""

_LONGEST_RUN: Final = 6
"""The most sections that are tried as one field, where not all are one."""


@dataclass(frozen=True)
class Trial:
    """Settings in place of the usual ones, and how they account for the stated numbers.

    `unprinted` counts points of which the file does not show all digits, where it has no totals: of two policies that
    explain the same, the one counts by which the lines add up as they are shown.
    """

    settings: Settings
    account: Account
    unprinted: int = 0

    @property
    def text(self) -> str:
        """The settings as `club.toml` has them."""
        return ", ".join(f"{key} = {_toml(value)}" for key, value in self.settings.items())


@dataclass(frozen=True)
class Verdict:
    """What the numbers of a session decide.

    Attributes:
        settings: the policy that was found; empty if the usual rules count.
        account: how the rules that count account for the numbers.
        problems: what is said about it.
        is_open: whether the numbers follow no known rules, so that single ones are not told.
    """

    settings: Settings
    account: Account
    problems: Problems
    is_open: bool


def _toml(value: object) -> str:
    """Write a value as `club.toml` has it."""
    if isinstance(value, HouseScale):
        return f"{{ total = {value.total:g}, margins = {value.margins}, winner = {value.winner} }}"
    return json.dumps(value)


def search(session: Session, scoring: Scoring, usual: Account) -> Verdict:
    """Look for the policy that explains the numbers of a session.

    Args:
        session: not yet scored.
        scoring: the club's settings.
        usual: how the rules without the numbers account for them.
    """
    usual = allow_other_lines(session, scoring, usual)
    note = report_raw(usual)
    tried = _Search(session, scoring, usual)
    base = tried.base
    if base.misses < _CLEAR:
        return Verdict({}, usual, note, is_open=False)
    trials = tuple(tried.run()) if session.contestants.height <= _MOST_RANKED else ()
    found = sorted((trial for trial in trials if _explains(trial, base)), key=_merit)
    if found and not _is_close(tried, found):
        return _decide(scoring, usual, base, found)
    if usual.is_explained or (usual.rows <= _FEW and tried.left_open.is_empty()):
        return Verdict({}, usual, note, is_open=False)
    return Verdict({}, usual, _report_open(session, base, trials, tried.left_open), is_open=True)


def _merit(trial: Trial) -> tuple[int, int, int]:
    return trial.account.misses, trial.unprinted, len(trial.settings)


def _explains(trial: Trial, usual: Account) -> bool:
    """Return whether a policy is found: it explains nearly all, and the usual rules miss far more."""
    found, misses = trial.account, trial.account.misses
    more = found.stated - misses > usual.stated - usual.misses
    return more and found.is_explained and usual.misses >= max(_CLEAR, _TIMES * misses)


def _is_close(tried: "_Search", found: Sequence[Trial]) -> bool:
    """Return whether another policy explains nearly as much as the best and ranks otherwise."""
    best, *others = found
    close = [
        trial
        for trial in others
        if trial.account.misses - best.account.misses < _CLEAR and trial.unprinted - best.unprinted < _CLEAR
    ]
    return bool(close) and any(tried.ranking(trial) != tried.ranking(best) for trial in close)


def _decide(scoring: Scoring, usual: Account, base: Account, found: Sequence[Trial]) -> Verdict:
    """Score by the best policy that was found, unless the club has set otherwise."""
    free = [trial for trial in found if not trial.settings.keys() & scoring.model_fields_set]
    best = free[0] if free and free[0].account.misses - found[0].account.misses < _CLEAR else found[0]
    about = (
        base.session.results.select("source")
        .head(1)
        .with_columns(
            settings=pl.lit(best.text),
            right=pl.lit(best.account.stated - best.account.misses),
            count=pl.lit(best.account.stated),
            usual=pl.lit(base.stated - base.misses),
        )
    )
    if best not in free:
        return Verdict({}, usual, report("numbers-mismatch/settings", about), is_open=True)
    problems = concat_problems([report("numbers-policy", about), report_raw(best.account)])
    return Verdict(best.settings, best.account, problems, is_open=False)


def _report_open(session: Session, base: Account, trials: Sequence[Trial], left_open: Problems) -> Problems:
    """Report that the numbers follow no known rules, with the two policies that come nearest."""
    if not left_open.is_empty():
        return left_open
    nearest = sorted(trials, key=_merit)[:2]
    texts = [f"{trial.text} explains {trial.account.stated - trial.account.misses}" for trial in nearest]
    wrong = base.told("points")
    lines = base.session.results.filter(wrong.wrong > 0) if wrong and wrong.rows else session.results
    about = (
        lines.select("source", "line", "column")
        .head(1)
        .with_columns(
            right=pl.lit(base.stated - base.misses),
            count=pl.lit(base.stated),
            nearest=pl.lit(", ".join(texts) or "none"),
        )
    )
    return report("numbers-mismatch/rules", about)


def allow_other_lines(session: Session, scoring: Scoring, found: Account) -> Account:
    """Let lines agree with what some programs write in place of the points that count.

    Beside totals these are matchpoints before short boards are brought to the top of the others; beside matches of
    teams, cross-IMPs, of all rounds together or of each.

    Args:
        session: not yet scored.
        scoring: the settings that it was scored by.
        found: the account of these settings, whose totals agree.
    """
    method, points = method_named(found.session.facts.method), found.told("points")
    if points is None or not points.rows:
        return found
    for evening, way in _list_other_ways(session, method, found):
        told = account(score(evening, scoring.model_copy(update=dict(way)))).told("points") or points
        either = told if method.of_teams else replace(points, wrong=points.wrong * (told.wrong > 0))
        if either.is_explained and points.rows > either.rows:
            kinds = [either if one.kind == "points" else one for one in found.kinds]
            return replace(found, kinds=kinds, raw=method.has_top)
    return found


def _list_other_ways(session: Session, method: Method, found: Account) -> list[tuple[Session, Settings]]:
    """Return what lines may state in place of the points that count: a session and settings to score it by."""
    if method.of_teams:
        rounds = pl.concat_str("section", "round", separator=" ", ignore_nulls=True)
        by_round = replace(session, results=session.results.with_columns(section=rounds))
        return [(session, {**way, "field": "all"}) for way in _ON_LINES] + [(by_round, way) for way in _ON_LINES]
    totals_agree = all(told.is_explained for told in found.kinds if told.kind != "points")
    if method.has_top and states_totals(session) and totals_agree:
        return [(session, {"short_boards": "own-top"})]
    return []


def report_raw(found: Account) -> Problems:
    """Report once that lines state the matchpoints of short boards on their own top."""
    return report("points-unadjusted", found.session.results.select("source").head(int(found.raw)))


class _Search:
    """The trials of one session."""

    def __init__(self, session: Session, scoring: Scoring, usual: Account) -> None:
        """Begin with the account of the usual rules: `base` compares to the hundredth where no totals are stated."""
        self.session, self.scoring = session, scoring
        self.exact = method_named(usual.session.facts.method).has_top and not states_totals(session)
        self.base = account(usual.session, exact=True) if self.exact else usual
        self.needs_ranks = not usual.session.standings.is_empty()
        self.left_open = empty(PROBLEMS)

    def run(self) -> Iterator[Trial]:
        """Try single settings, then the best of them together with others, until nothing is left to explain."""
        rows = list(self._rows())
        tried = [self._try(row) for row in rows]
        found = any(_explains(trial, self.base) for trial in tried)
        tried += [self._try(row) for row in (() if found else self._learned())]
        yield from tried
        for width in _WIDE:
            # Where none explains more than others, those count that change what is compared.
            best = sorted(tried, key=lambda trial: (*_merit(trial)[:2], "field" not in trial.settings))[:width]
            if not best or self._leaves_nothing(best[0]):
                return
            tried = [self._try(settings) for settings in _combine(best, rows)]
            yield from tried
            if not tried or min(map(_merit, tried))[:2] >= _merit(best[0])[:2]:
                return

    def _leaves_nothing(self, trial: Trial) -> bool:
        return _explains(trial, self.base) and not (trial.account.misses or trial.unprinted)

    def ranking(self, trial: Trial) -> list[tuple[Any, ...]]:
        """Return the places of all contestants under a policy."""
        scored = trial.account.session
        ranked = scored if self.needs_ranks else rank(scored, self._scoring(trial.settings))
        return sorted(ranked.standings.select(pl.col("ranking", "contestant").fill_null(""), "rank").rows())

    def _scoring(self, settings: Settings) -> Scoring:
        return self.scoring.model_copy(update=dict(settings))

    def _try(self, settings: Settings) -> Trial:
        scoring = self._scoring(settings)
        scored = score(self.session, scoring)
        ranked = rank(scored, scoring) if self.needs_ranks else scored
        told = allow_other_lines(self.session, scoring, account(ranked, self.base, exact=self.exact))
        return Trial(settings, told, count_unprinted(scored) if self.exact else 0)

    def _rows(self) -> Iterator[Settings]:
        """Return the settings that may make a difference to this session."""
        facts = self.base.session.facts
        method = method_named(facts.method)
        now = {**dict(self.scoring), **facts.policies, "method": facts.method}
        rows = _WINNERS if self.base.told("place") else (*method.policies, *(() if method.sheet else _COMMON))
        possible = self._possible()
        for row in rows:
            if all(possible.get(key, True) for key in row) and not row.items() <= now.items():
                yield row

    def _possible(self) -> Mapping[str, bool]:
        """Return which settings can make a difference, where that depends on the session."""
        results, base = self.session.results, self.base
        totals, of_teams = states_totals(self.session), method_named(base.session.facts.method).of_teams
        return {
            "field": results["section"].drop_nulls().n_unique() > 1,
            "sit_outs": totals and not of_teams,
            "pair_rounds": totals or base.told("match") is not None,
            "average_plus": bool((results["status"] == "adjusted").any()),
            "fouled_groups": bool((base.session.problems["code"] == "board-fouled").any()),
            "stated_view": base.told("points") is not None,
        }

    def _learned(self) -> Iterator[Settings]:
        """Return settings that the numbers themselves show: a victory point scale, and which sections are compared."""
        method = method_named(self.base.session.facts.method)
        if method.of_teams and method.unit == "IMPs":
            house, code, margins = _learn_house_scale(self.base.session)
            if house is not None:
                scale = HouseScale(total=house.total, margins=house.margins, winner=list(house.winner))
                yield {"vp_scale": "house", "house_scale": scale}
            elif code:
                about = self.session.results.select("source", margins=pl.lit(margins)).head(1)
                self.left_open = report(code, about)
        sections = sorted(self.session.results["section"].drop_nulls().unique())
        if len(sections) > 2 and not method.of_teams and self.base.told("points") is not None:
            yield {"field_groups": self._group(sections)}

    def _group(self, sections: Sequence[str]) -> list[str]:
        """Divide sections into runs of neighbours that are compared together, so that most points agree."""
        best: dict[int, tuple[int, list[list[str]]]] = {0: (0, [])}
        for end in range(1, len(sections) + 1):
            ways = []
            for start in range(max(0, end - _LONGEST_RUN), end):
                before, groups = best[start]
                run = list(sections[start:end])
                ways.append((before + self._misses_of(run), [*groups, run]))
            best[end] = min(ways, key=lambda way: way[0])
        return ["+".join(group) for group in best[len(sections)][1] if len(group) > 1]

    def _misses_of(self, sections: Sequence[str]) -> int:
        """Return how many points differ where some sections are one field."""
        some = replace(self.session, results=self.session.results.filter(pl.col("section").is_in(sections)))
        told = account(score(some, self._scoring({"field": "all"})), exact=self.exact).told("points")
        return 0 if told is None else int(told.wrong.sum())


def _combine(best: Sequence[Trial], rows: Sequence[Settings]) -> list[Settings]:
    """Return the settings of each of the best trials together with each row about other keys, all of them once."""
    together = [{**trial.settings, **row} for trial in best for row in rows if not row.keys() & trial.settings]
    return list({tuple(sorted(map(str, settings.items()))): settings for settings in together}.values())


def _learn_house_scale(scored: Session) -> tuple[Bands | None, str, str]:
    """Return the club's own scale that stated matches, or totals, follow; and the problem if totals leave it open."""
    margins: dict[str, list[Fraction]] = {}
    by_match: dict[tuple[Any, ...], Fraction] = {}
    for match in scored.matches.iter_rows(named=True):
        whole = match["denominator"]
        for team, other, suffix in (("team", "opponents", ""), ("opponents", "team", "_opponents")):
            by = Fraction(match[f"numerator{suffix}"], whole)
            margins.setdefault(match[team], []).append(by)
            by_match[match["round"], match[team], match[other]] = by
    stated = [
        (by_match[place, ns, ew], Fraction(str(points)), Fraction(str(others)))
        for place, points, others, ns, ew in _list_stated_matches(scored).iter_rows()
        if (place, ns, ew) in by_match
    ]
    if stated:
        return learn_scale([match for match in stated if match[0].denominator == 1]), "", ""
    totals = dict(scored.contestants.select("contestant", "stated_total").drop_nulls().iter_rows())
    if not totals or not margins or are_imps(margins, totals):
        return None, "", ""
    return learn_from_totals(margins, totals)


def _list_stated_matches(scored: Session) -> pl.DataFrame:
    """List the matches of which both sides' points are stated: `round stated_match_ns stated_match_ew ns ew`."""
    teams = {"ns": pl.coalesce("team_ns", "ns"), "ew": pl.coalesce("team_ew", "ew")}
    listed = scored.results.select("round", "stated_match_ns", "stated_match_ew", **teams)
    both = listed.drop_nulls(["stated_match_ns", "stated_match_ew"])
    return both.unique(["round", "ns", "ew"], keep="first", maintain_order=True)


AUDIT: Final = {
    **dict.fromkeys(("what", "source"), pl.String),
    "line": pl.UInt32,
    "board": pl.Int32,
    **dict.fromkeys(("ns", "ew", "contestant", "ranking", "stated", "computed", "explained_by"), pl.String),
}
"""One row a difference: of a line (`source line board ns ew`), or of a total or place (`contestant ranking`)."""


@dataclass(frozen=True)
class Explanation:
    """What a policy would change.

    Attributes:
        policy: its settings, as `club.toml` has them.
        explains: how many differences would be gone.
        breaks: how many lines and contestants agree now and would differ.
    """

    policy: str
    explains: int
    breaks: int


@dataclass(frozen=True)
class Audit:
    """The differences between a file and overtrick, and policies that explain them.

    Attributes:
        differences: a frame of `AUDIT`, lines before totals.
        lines: how many lines state points, a datum or their match.
        totals: how many totals, percentages and places are stated.
        explanations: each policy that would explain a difference, the best first.
    """

    differences: pl.DataFrame
    lines: int
    totals: int
    explanations: list[Explanation]


def audit(session: Session, scoring: Scoring) -> Audit:
    """Show how the numbers of a session were judged: what differs by the usual rules, and what each policy explains.

    Args:
        session: as read and checked, not yet scored.
        scoring: the club's settings.
    """
    scored = score(session, scoring)
    tried = _Search(session, scoring, account(rank(scored, scoring)))
    base = tried.base
    trials = sorted(tried.run(), key=_merit) if base.misses else []
    explanations = [explanation for trial in trials if (explanation := _compare(trial, base)).explains]
    counts = {told.kind: int((told.stated > 0).sum()) for told in base.kinds}
    lines = max(counts.get(kind, 0) for kind in ("points", "datum", "match"))
    totals = sum(counts.get(kind, 0) for kind in ("total", "percentage", "place"))
    differences = [_list_differences(base.session, told, trials) for told in base.kinds]
    return Audit(pl.concat([pl.DataFrame(schema=AUDIT), *differences]), lines, totals, explanations)


def _compare(trial: Trial, usual: Account) -> Explanation:
    """Count the lines and contestants that agree under a policy and not by the usual rules, and the reverse."""
    kinds = [(told, usual.told(told.kind)) for told in trial.account.kinds]
    both = [(told.wrong > 0, before.wrong > 0) for told, before in kinds if before is not None]
    explains = sum(int((before & ~now).sum()) for now, before in both)
    return Explanation(trial.text, explains, sum(int((now & ~before).sum()) for now, before in both))


def _list_differences(session: Session, told: Told, trials: Sequence[Trial]) -> pl.DataFrame:
    """List the differences of one kind, each with the best policy that explains it: a frame of `AUDIT`."""
    wrong = told.wrong > 0
    reason = pl.Series([None], dtype=pl.String).new_from_index(0, len(wrong))
    for trial in reversed(trials):
        of_kind = trial.account.told(told.kind)
        if of_kind is not None:
            reason = pl.select(pl.when(of_kind.wrong == 0).then(pl.lit(trial.text)).otherwise(reason)).to_series()
    worded = word_differences(session, told).with_columns(explained_by=reason).filter(wrong)
    return worded.select(
        (pl.col(name) if name in worded.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in AUDIT.items()
    )
