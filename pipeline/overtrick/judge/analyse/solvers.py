"""The solvers of a run, each with the user's store of what was solved before. They need the extra `dd`."""

from functools import partial

from overtrick.judge.analyse import Solver, solver
from overtrick.judge.analyse.cache import TableCache, user_cache
from overtrick.judge.analyse.explain import PlaySolvers
from overtrick.judge.analyse.solver import Progress, Stored


def make_solver(progress: Progress | None = None) -> Solver:
    """Return the double-dummy solver.

    Args:
        progress: called with the number of deals solved and the number of deals.
    """
    return partial(solver.solve, progress=progress, cache=TableCache(user_cache()))


def make_play_solvers(progress: Progress | None = None, best: Progress | None = None) -> PlaySolvers:
    """Return the solvers of plays and of best cards.

    Args:
        progress: called with the number of plays solved and the number of plays.
        best: called with the number of positions solved and the number of positions.
    """
    store = user_cache()
    return (
        partial(solver.solve_plays, progress=progress, cache=TableCache(store, kind="plays")),
        partial(solver.solve_best_cards, progress=best, cache=TableCache(store, kind="cards")),
    )


def open_stored() -> Stored:
    """Return what looks solutions up in the user's store, and solves nothing."""
    store = user_cache()
    return Stored(TableCache(store), TableCache(store, kind="plays"), TableCache(store, kind="cards"))
