"""The policy that explains the numbers of a file: each setting that could is tried, alone and with others.

A policy is found if it explains all stated numbers but one in fifty (one always), and the usual rules miss at least
three times as many.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.methods import Settings, method_named
from overtrick.core.bridge.victory_points import Bands, are_imps, learn_from_totals, learn_scale
from overtrick.core.config import Scoring
from overtrick.core.config.scoring import HouseScale
from overtrick.core.frames import PROBLEMS, Problems, Session, empty
from overtrick.core.problems import report
from overtrick.judge.numbers.stated import Account, account, states_totals
from overtrick.judge.rank import rank
from overtrick.judge.score import score

_COMMON: Final[tuple[Settings, ...]] = ({"field": "all"}, {"field": "section"}, {"stated_view": "points-ew"})
"""Settings that are tried beside those of the method, where boards are compared."""

_WINNERS: Final[tuple[Settings, ...]] = ({"winners": 1}, {"winners": 2}, {"field": "all"}, {"field": "all", "winners": 1})
"""Settings that are tried where the file states places alone."""

_ON_LINES: Final[tuple[Settings, ...]] = tuple(
    {"method": "cross-imps", "cross_divisor": divisor} for divisor in ("comparisons", "scores", "none")
)
"""What lines of a match of teams may state in place of what the match earned."""

_WIDE: Final = (3, 2)
"""The number of best policies that are tried together with all others: of single ones, and of two together."""

_CLEAR: Final = 2
"""Two policies that explain nearly as much are told apart by this many numbers."""

_TIMES: Final = 3
"""The usual rules miss at least so many times what a policy misses."""

_LONGEST_RUN: Final = 6
"""The most sections that are tried as one field, where not all are one."""


@dataclass(frozen=True)
class Trial:
    """Settings in place of the usual ones, and how they account for the stated numbers."""

    settings: Settings
    account: Account

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
        trials: all that was tried, in order.
    """

    settings: Settings
    account: Account
    problems: Problems
    is_open: bool
    trials: tuple[Trial, ...] = ()


def _toml(value: object) -> str:
    if isinstance(value, HouseScale):
        return f"{{ total = {value.total:g}, margins = {value.margins}, winner = {value.winner} }}"
    return str(value) if isinstance(value, int | float) else str(value).replace("'", '"') if isinstance(value, list) else f'"{value}"'


def search(session: Session, scoring: Scoring, usual: Account) -> Verdict:
    """Look for the policy that explains the numbers of a session.

    Args:
        session: not yet scored.
        scoring: the club's settings.
        usual: how the rules without the numbers account for them.
    """
    usual, note = _explain_lines(session, scoring, usual)
    exact = method_named(usual.session.facts.method).has_top and not states_totals(session)
    base = account(usual.session, exact=True) if exact else usual
    if base.misses < _CLEAR:
        return Verdict({}, usual, note, is_open=False)
    search_in = _Search(session, scoring, base, exact=exact)
    trials = tuple(search_in.run())
    found = sorted((trial for trial in trials if _explains(trial, base)), key=_merit)
    if found and not _is_close(search_in, found):
        return _decide(scoring, usual, base, found, trials)
    if usual.is_explained or usual.rows <= 3:
        return Verdict({}, usual, note, is_open=False, trials=trials)
    return Verdict({}, usual, _report_open(session, base, trials, search_in.left_open), is_open=True, trials=trials)


def _merit(trial: Trial) -> tuple[int, int]:
    return trial.account.misses, len(trial.settings)


def _explains(trial: Trial, usual: Account) -> bool:
    """Return whether a policy is found: it explains nearly all, and the usual rules miss far more."""
    misses = trial.account.misses
    return trial.account.is_explained and usual.misses >= max(_CLEAR, _TIMES * misses)


def _is_close(tried: "_Search", found: Sequence[Trial]) -> bool:
    """Return whether another policy explains nearly as much as the best and ranks otherwise."""
    best, *others = found
    close = [trial for trial in others if trial.account.misses - best.account.misses < _CLEAR]
    return bool(close) and any(tried.ranking(trial) != tried.ranking(best) for trial in close)


def _decide(
    scoring: Scoring, usual: Account, base: Account, found: Sequence[Trial], trials: tuple[Trial, ...]
) -> Verdict:
    """Score by the best policy that was found, unless the club has set otherwise."""
    free = [trial for trial in found if not trial.settings.keys() & scoring.model_fields_set]
    best = free[0] if free and free[0].account.misses - found[0].account.misses < _CLEAR else found[0]
    about = base.session.results.select("source").head(1).with_columns(
        settings=pl.lit(best.text),
        right=pl.lit(best.account.stated - best.account.misses),
        count=pl.lit(best.account.stated),
        usual=pl.lit(base.stated - base.misses),
    )
    if best not in free:
        return Verdict({}, usual, report("numbers-setting-mismatch", about), is_open=True, trials=trials)
    return Verdict(best.settings, best.account, report("numbers-policy", about), is_open=False, trials=trials)


def _report_open(session: Session, base: Account, trials: Sequence[Trial], left_open: Problems) -> Problems:
    """Report that the numbers follow no known rules, with the two policies that come nearest."""
    if not left_open.is_empty():
        return left_open
    nearest = sorted(trials, key=_merit)[:2]
    texts = [f"{trial.text} explains {trial.account.stated - trial.account.misses}" for trial in nearest]
    wrong = base.told("points")
    lines = base.session.results.filter(wrong.wrong > 0) if wrong and wrong.rows else session.results
    about = lines.select("source", "line", "column").head(1).with_columns(
        right=pl.lit(base.stated - base.misses),
        count=pl.lit(base.stated),
        nearest=pl.lit(", ".join(texts) or "none"),
    )
    return report("numbers-mismatch", about)


def _explain_lines(session: Session, scoring: Scoring, usual: Account) -> tuple[Account, Problems]:
    """Compare lines with what some programs write in place of the points that count.

    Beside totals these are matchpoints before short boards are brought to the top of the others; beside matches of
    teams, cross-IMPs, of all rounds together or of each.
    """
    method = method_named(usual.session.facts.method)
    points = usual.told("points")
    if points is None or not points.rows or not (method.of_teams or states_totals(session)):
        return usual, empty(PROBLEMS)
    if method.of_teams:
        by_round = session.results.with_columns(section=pl.concat_str("section", "round", separator=" ", ignore_nulls=True))
        evenings = (session, replace(session, results=by_round))
        ways = [(evening, {**way, "field": field}) for evening, field in zip(evenings, ("all", "section"), strict=True) for way in _ON_LINES]
    elif method.has_top:
        ways = [(session, {"short_boards": "own-top"})]
    else:
        return usual, empty(PROBLEMS)
    for evening, way in ways:
        told = account(score(evening, scoring.model_copy(update=way))).told("points")
        if told is not None and told.is_explained and points.rows >= max(1, _TIMES * told.rows):
            kinds = [told if one.kind == "points" else one for one in usual.kinds]
            short = session.results.filter((points.wrong > 0) & (told.wrong == 0)).head(1)
            note = report("points-unadjusted", short) if method.has_top else empty(PROBLEMS)
            return replace(usual, kinds=kinds, raw=method.has_top), note
    return usual, empty(PROBLEMS)


class _Search:
    """The trials of one session."""

    def __init__(self, session: Session, scoring: Scoring, base: Account, *, exact: bool) -> None:
        self.session, self.scoring, self.base, self.exact = session, scoring, base, exact
        self.needs_ranks = not base.session.standings.is_empty()
        self.left_open = empty(PROBLEMS)

    def run(self) -> Iterator[Trial]:
        """Try single settings, then the best of them together with others, until nothing is left to explain."""
        rows = list(self._rows())
        tried = [self._try(row) for row in rows]
        if not any(_explains(trial, self.base) for trial in tried):
            tried += [self._try(row) for row in self._learned()]
        yield from tried
        for width in _WIDE:
            best = sorted(tried, key=_merit)
            if not best or (_explains(best[0], self.base) and not best[0].account.misses):
                return
            together = [{**trial.settings, **row} for trial in best[:width] for row in rows if not row.keys() & trial.settings]
            unique = {tuple(sorted(map(str, settings.items()))): settings for settings in together}
            tried = [self._try(settings) for settings in unique.values()]
            yield from tried
            if not tried or min(map(_merit, tried))[0] >= best[0].account.misses:
                return

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
        return Trial(settings, account(ranked, self.base, exact=self.exact))

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

    def _group(self, sections: Sequence[str]) -> list[list[str]]:
        """Divide sections into runs of neighbours that are compared together, so that most points agree."""
        best: dict[int, tuple[int, list[list[str]]]] = {0: (0, [])}
        for end in range(1, len(sections) + 1):
            ways = []
            for start in range(max(0, end - _LONGEST_RUN), end):
                before, groups = best[start]
                run = list(sections[start:end])
                ways.append((before + self._misses_of(run), [*groups, run]))
            best[end] = min(ways, key=lambda way: way[0])
        return [group for group in best[len(sections)][1] if len(group) > 1]

    def _misses_of(self, sections: Sequence[str]) -> int:
        """Return how many points differ where some sections are one field."""
        some = replace(self.session, results=self.session.results.filter(pl.col("section").is_in(sections)))
        told = account(score(some, self._scoring({"field": "all"})), exact=self.exact).told("points")
        return 0 if told is None else int(told.wrong.sum())


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
        (by_match[row["round"], row["ns"], row["ew"]], *(Fraction(str(row[f"stated_match_{side}"])) for side in ("ns", "ew")))
        for row in scored.results.with_columns(ns=pl.coalesce("team_ns", "ns"), ew=pl.coalesce("team_ew", "ew"))
        .drop_nulls(["stated_match_ns", "stated_match_ew"])
        .unique(["round", "ns", "ew"], keep="first", maintain_order=True)
        .iter_rows(named=True)
        if (row["round"], row["ns"], row["ew"]) in by_match
    ]
    if stated:
        whole_margins = [match for match in stated if match[0].denominator == 1]
        return learn_scale(whole_margins), "", ""
    totals = dict(scored.contestants.select("contestant", "stated_total").drop_nulls().iter_rows())
    if not totals or not margins or are_imps(margins, totals):
        return None, "", ""
    return learn_from_totals(margins, totals)
