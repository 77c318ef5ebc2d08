"""Mutants: small faults put into the code, one at a time, to find what no quick test would notice.

`python -m tests.support.mutants --map` runs the quick tests once and notes which functions each test enters. Then
`python -m tests.support.mutants --count 60 --seed 1` draws 60 mutants, runs for each the quick tests that enter the
changed function, the fast ones and those of the same folder first, and lists the mutants that no test kills.
`--areas correct,rank` draws from some places only, `--file PATH --line N` tries all mutants of a line, and after a
change of tests `--map tests/files/correct` brings the notes of these up to date. No tool of the package index fits:
they copy the project, start a process a mutant, or do not take columns of polars apart.
"""

import argparse
import ast
import contextlib
import copy
import gc
import importlib
import json
import os
import pkgutil
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "pipeline" / "overtrick"
MAP: Final = ROOT / "build" / "mutants.json"

AREAS: Final = {
    "privacy": ("judge/privacy*",),
    "correct": ("files/correct/*.py",),
    "score": ("judge/score/*.py", "judge/numbers/*.py"),
    "rank": ("judge/rank/*.py",),
    "assemble": ("files/assemble/*.py",),
    "people": ("judge/people/identity.py", "judge/people/near.py"),
    "readers": (
        *(
            "files/formats/tables/*.py",
            "files/formats/csv.py",
            "files/formats/session_*.py",
            "files/formats/bridgewebs.py",
        ),
        *("files/formats/jannersten.py", "files/formats/salliere.py", "files/formats/bridgemate/re*.py"),
        *("files/formats/usebio/travellers.py", "files/formats/acbl*.py"),
        *("files/formats/pbn/read/score_tables.py", "files/formats/lin/read/contracts.py", "files/formats/bbo.py"),
    ),
}
"""By area, the modules whose mutants are drawn."""

_LONGEST: Final = 200
"""Seconds of the processor after which the tests of a mutant are stopped: it does not end, and counts as killed."""
_OPTIONS: Final = [
    *("-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
]
_FIRST: Final = 25
"""Tests that are tried before all others of a mutant are collected."""
_MEMORY: Final = 6_000_000_000

_COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_SIDES: Final = [("NS", "EW"), ("ns", "ew"), ("north", "east"), ("N", "E"), ("home", "away"), ("error", "warning")]
_STEPS: Final = set(
    "filter unique sort drop_nulls fill_null head tail reverse over strip strip_chars lower upper casefold to_lowercase"
    " abs round shift removesuffix removeprefix replace eq_missing min max first last drop sorted".split()
)
"""Steps of columns and texts that can be left out."""
_OF_MANY: Final = set(
    "filter any_horizontal all_horizontal coalesce concat over unique drop_nulls sort select sum_horizontal".split()
)
"""Calls of which one argument can be left out."""
_IN_ORDER: Final = {"sort", "coalesce", "sort_by"}
"""Calls whose arguments have an order."""
_UNSEEN: Final = {"annotation", "returns", "decorator_list", "type_params", "names", "exc", "bases"}
"""Fields of a syntax tree that are not changed."""
_CHECKS: Final = {"strict", "maintain_order", "validate", "rechunk", "schema", "infer_schema_length"}
"""Arguments that a caller adds for safety, order or speed: to drop one is not a fault that shows."""


@dataclass(frozen=True)
class Mutant:
    """A fault.

    Attributes:
        path: the module.
        number: its place among the faults of the module.
        line: where.
        owner: the function, with its class; empty for the module itself.
        what: the code before and after.
    """

    path: Path
    number: int
    line: int
    owner: str
    what: str

    def __str__(self) -> str:
        """Return where and what."""
        return f"{self.path.relative_to(SOURCE)}:{self.line} {self.owner}: {self.what}"


def variants(node: ast.AST) -> Iterator[ast.AST]:  # noqa: C901, PLR0912 - one branch for each kind of code
    """Yield the faulty forms of a piece of code; the piece itself stays as it is."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                for other in _COMPARED[type(op)]:
                    yield _with(node, ops=[*ops[:at], other(), *ops[at + 1 :]])
        case ast.BoolOp(op=op, values=values):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            yield from (_with(node, values=rest) for rest in _without_one(values) if len(rest) > 1)
            yield from values if len(values) == 2 else ()
        case ast.BinOp(op=op, left=left) if type(op) in _COMPUTED:
            yield _with(node, op=_COMPUTED[type(op)]())
            if isinstance(op, (ast.BitAnd, ast.BitOr)):
                yield from (left, node.right)
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield _with(node, value=not value)
        case ast.Constant(value=int(value)):
            yield _with(node, value=value + 1)
        case ast.Constant(value=str(text)):
            yield from (_with(node, value=other) for other in _other_side(text))
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.If(test=test) | ast.While(test=test) if not _for_types(test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
            if isinstance(node, ast.If):
                yield _with(node, test=ast.Constant(value=False))
        case ast.comprehension(ifs=ifs) if ifs:
            yield from (_with(node, ifs=rest) for rest in _without_one(ifs))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Call(func=func, args=args, keywords=keywords):
            called = func.attr if isinstance(func, ast.Attribute) else ""
            if isinstance(func, ast.Attribute) and called in _STEPS:
                yield func.value
            if len(args) > 1 and called in _OF_MANY:
                yield from (_with(node, args=rest) for rest in _without_one(args))
            if len(args) > 1 and (
                called in _IN_ORDER or all(isinstance(each, (ast.Name, ast.Attribute)) for each in args)
            ):
                yield from (_with(node, args=order) for order in _swapped(args))
            dropped = [each for each in keywords if each.arg not in _CHECKS]
            yield from (_with(node, keywords=[each for each in keywords if each is not one]) for one in dropped)
        case ast.Tuple(elts=elts, ctx=ast.Load()) | ast.List(elts=elts, ctx=ast.Load()) | ast.Set(elts=elts):
            if len(elts) > 1:
                yield from (_with(node, elts=rest) for rest in _without_one(elts))
        case _:
            return


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _without_one(items: Sequence[Any]) -> Iterator[list[Any]]:
    return ([*items[:at], *items[at + 1 :]] for at in range(len(items)))


def _swapped(items: Sequence[Any]) -> Iterator[list[Any]]:
    pairs = range(len(items) - 1)
    return ([*items[:at], items[at + 1], items[at], *items[at + 2 :]] for at in pairs)


def _other_side(text: str) -> Iterator[str]:
    for pair in _SIDES:
        for one, other in (pair, pair[::-1]):
            if text == one or text.endswith(f"_{one}"):
                yield text.removesuffix(one) + other


def _for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


@dataclass
class _Place:
    """A piece of code in its tree, and a faulty form of it."""

    owner: str
    line: int
    holder: Any
    key: Any
    before: ast.AST
    after: ast.AST

    def put(self) -> None:
        """Put the faulty form into the tree."""
        new = ast.copy_location(self.after, self.before)
        if isinstance(self.holder, list):
            self.holder[self.key] = new
        else:
            setattr(self.holder, self.key, new)


def places(node: ast.AST, owner: str = "", line: int = 0) -> Iterator[_Place]:
    """Yield all faults that can be put into a tree, in their order."""
    for name, value in ast.iter_fields(node):
        if name in _UNSEEN:
            continue
        for key, child in enumerate(value) if isinstance(value, list) else [(name, value)]:
            if not isinstance(child, ast.AST):
                continue
            at = getattr(child, "lineno", line)
            holder = value if isinstance(value, list) else node
            for after in variants(child):
                yield _Place(owner, at, holder, key, child, after)
            is_named = isinstance(child, (ast.FunctionDef, ast.ClassDef)) and "." not in owner.partition("(")[0]
            within = isinstance(node, (ast.Module, ast.ClassDef))
            inner = ".".join(part for part in (owner, child.name) if part) if is_named and within else owner  # type: ignore[attr-defined]
            yield from places(child, inner, at)


def list_mutants(areas: Sequence[str]) -> list[Mutant]:
    """Return all mutants of some areas."""
    found = []
    for area in areas:
        for path in sorted({path for pattern in AREAS[area] for path in SOURCE.glob(pattern) if path.suffix == ".py"}):
            for number, place in enumerate(places(ast.parse(path.read_text("utf-8")))):
                before, after = (ast.unparse(ast.fix_missing_locations(node)) for node in (place.before, place.after))
                found.append(Mutant(path, number, place.line, place.owner, f"{_short(before)}  ->  {_short(after)}"))
    return found


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) < 150 else f"{line[:147]}..."


class _Notes:
    """Which functions each test enters, and how long it takes."""

    def __init__(self) -> None:
        self.entered: dict[str, set[tuple[str, str]]] = {}
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        seen: set[tuple[str, str]] = set()
        prefix = str(SOURCE)

        def note(frame: Any, _event: str, _what: object) -> None:
            code = frame.f_code
            if code.co_filename.startswith(prefix):
                seen.add((code.co_filename, code.co_qualname))

        began = time.perf_counter()
        sys.settrace(note)
        yield
        sys.settrace(None)
        self.seconds[item.nodeid] = time.perf_counter() - began
        self.entered[item.nodeid] = seen


def take_map(tests: Sequence[str]) -> None:
    """Run quick tests and note what each enters; the notes of other tests stay."""
    notes = _Notes()
    pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", *tests], plugins=[notes])
    known = json.loads(MAP.read_text("utf-8")) if MAP.exists() else {}
    kept = {name: each for name, each in known.items() if not any(name.startswith(test) for test in tests)}
    for name, entered in notes.entered.items():
        modules: dict[str, list[str]] = defaultdict(list)
        for path, function in sorted(entered):
            modules[str(Path(path).relative_to(SOURCE))].append(function.partition(".<locals>")[0])
        kept[name] = {"seconds": round(notes.seconds[name], 3), "entered": modules}
    MAP.parent.mkdir(exist_ok=True)
    MAP.write_text(json.dumps(kept), "utf-8")


def tests_of(mutant: Mutant, known: dict[str, Any]) -> list[str]:
    """Return the tests that enter the function of a mutant, or its module: those most likely to see it first."""
    module = str(mutant.path.relative_to(SOURCE))
    near = f"tests/{module.rpartition('/')[0]}"
    known = {name: each for name, each in known.items() if (ROOT / name.partition("::")[0]).exists()}
    entering = {name: each for name, each in known.items() if module in each["entered"]}
    direct = {name: each for name, each in entering.items() if mutant.owner in each["entered"][module]}
    if not mutant.owner:
        # A test can look at a constant without entering a function of its module.
        files = {name.partition("::")[0] for name in entering}
        direct = {name: each for name, each in known.items() if name.partition("::")[0] in files}
    chosen = direct or entering or {name: each for name, each in known.items() if name.startswith(near)}
    return sorted(chosen, key=lambda name: (not name.startswith(near), chosen[name]["seconds"]))


class _Chosen:
    """Runs chosen tests in their order."""

    def __init__(self) -> None:
        self.order: dict[str, int] = {}
        self.failed = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda i: self.order[i.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def put_in(mutant: Mutant) -> None:
    """Put a fault into the functions of its module; a fault outside of functions, by importing everything again."""
    tree = ast.parse(mutant.path.read_text("utf-8"))
    next(place for number, place in enumerate(places(tree)) if number == mutant.number).put()
    code = compile(ast.fix_missing_locations(tree), str(mutant.path), "exec", dont_inherit=True)
    faulty = {(each.co_qualname, each.co_firstlineno): each for each in _functions(code)}
    changed = 0
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == str(mutant.path):
            new = faulty.get((each.__code__.co_qualname, each.__code__.co_firstlineno), each.__code__)
            if new != each.__code__:
                each.__code__ = new
                changed += 1
    if changed:
        return
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        return code if Path(loader.path) == mutant.path else usual(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    for name in [name for name in sys.modules if name.partition(".")[0] in {"overtrick", "tests"}]:
        del sys.modules[name]


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of all functions in some code."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _functions(each)


def _run_in_child(mutant: Mutant, names: Sequence[str], answer: int) -> None:
    """Run tests with a fault in the code, and write the test that failed to a pipe."""
    resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST, _LONGEST))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    chosen = _Chosen()
    try:
        put_in(mutant)
        for lot in (names[:_FIRST], names[_FIRST:]):
            chosen.order = {name: at for at, name in enumerate(lot)}
            files = list(dict.fromkeys(name.partition("::")[0] for name in lot))
            if files and not chosen.failed:
                ended = pytest.main([*_OPTIONS, *files], plugins=[chosen])
                assert chosen.failed or ended == pytest.ExitCode.OK, "the tests could not be run"
    except BaseException as error:  # noqa: BLE001 - whatever the fault does, it shows
        chosen.failed = chosen.failed or f"{type(error).__name__}"
    os.write(answer, chosen.failed.encode()[:3000])
    os._exit(0)


def killer_of(mutant: Mutant, names: Sequence[str]) -> str:
    """Return the test that a mutant makes fail; empty if it lives."""
    if not names:
        return ""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _run_in_child(mutant, names, write)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return said or (f"stopped by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "")


def _prepare() -> None:
    """Import what the tests need, so that each process has it. Nothing is computed: polars would not survive a fork."""
    os.environ["CI"] = "true"
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    importlib.import_module("hypothesis")
    importlib.import_module("typer.testing")
    for roof in ("core", "files", "judge", "show", "apps.evening", "apps.inbox", "apps.cli"):
        package = importlib.import_module(f"overtrick.{roof}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)


def main() -> None:
    """Take the map, or draw mutants and list those that live."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", nargs="*", metavar="TESTS", help="note what the quick tests enter; some of them only")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--areas", default=",".join(AREAS))
    parser.add_argument("--file", help="a part of the path of the modules")
    parser.add_argument("--line", type=int)
    asked = parser.parse_args()
    os.chdir(ROOT)
    if asked.map is not None:
        take_map(asked.map or ["tests"])
        return
    _prepare()
    known = json.loads(MAP.read_text("utf-8"))
    areas = {str(path): area for area in AREAS for pattern in AREAS[area] for path in SOURCE.glob(pattern)}
    mutants = list_mutants(asked.areas.split(","))
    mutants = [each for each in mutants if not asked.file or asked.file in str(each.path)]
    mutants = [each for each in mutants if asked.line is None or each.line == asked.line]
    drawn = random.Random(asked.seed).sample(mutants, min(asked.count, len(mutants)))
    lived, counted = Counter[str](), Counter[str]()
    loaded = time.time()
    for mutant in drawn:
        if mutant.path.stat().st_mtime > loaded:
            sys.exit(f"{mutant.path} has changed since the mutants were drawn; draw again")
        began, names = time.perf_counter(), tests_of(mutant, known)
        killer = killer_of(mutant, names)
        area = areas[str(mutant.path)]
        counted[area] += 1
        lived[area] += not killer
        took = f"{time.perf_counter() - began:.0f} s"
        print(f"{'killed' if killer else 'LIVES'}\t{mutant}\t{killer or f'{len(names)} tests'}\t{took}", flush=True)
    for area, count in counted.items():
        print(f"{area}: {count - lived[area]} of {count} killed")


if __name__ == "__main__":
    main()
