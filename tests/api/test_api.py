"""What `import overtrick as ot` offers."""

import ast
import doctest
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import overtrick as ot
from overtrick import api
from tests.support.commands import EVENING, FIXTURES, ROOT
from tests.support.golden import assert_as_before

STORED = ROOT / "tests" / "data" / "public-names.txt"


def public_names() -> list[str]:
    """List the public names with their signatures; of a session also its frames, and of a frame its columns."""
    lines = []
    for name in sorted(ot.__all__):
        one = getattr(ot, name)
        lines.append(f"{name}{_signature(one) if inspect.isfunction(one) else ''}")
        if inspect.isclass(one):
            lines += [f"{name}.{part}" for part in sorted(_parts(one))]
    for name, schema in ot.frames.FRAMES.items():
        lines += [f"frames.{name.upper()}.{column}: {about.dtype}" for column, about in schema.items()]
    return lines


def _signature(function: Callable[..., object]) -> str:
    """Return the arguments and the result as the source writes them: another Python may print types differently."""
    (written,) = ast.parse(inspect.getsource(function)).body
    assert isinstance(written, ast.FunctionDef)
    return f"({ast.unparse(written.args)}) -> {ast.unparse(written.returns) if written.returns else None}"


def _parts(kind: type) -> set[str]:
    fields = getattr(kind, "model_fields", None) or getattr(kind, "__dataclass_fields__", {})
    own = {name for name in vars(kind) if not name.startswith(("_", "model_"))}
    return {*fields, *own}


def test_public_names_and_signatures_are_those_that_are_stored() -> None:
    """`OVERTRICK_UPDATE_GOLDEN=1` stores them anew; a change needs a line in the CHANGELOG."""
    listed = "\n".join(public_names()) + "\n"
    assert_as_before(STORED, listed)


def test_the_stub_for_type_checkers_lists_the_same_names() -> None:
    tree = ast.parse((Path(ot.__file__).parent / "__init__.pyi").read_text("utf-8"))
    listed = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert {*ot.__all__} == {*listed, "__version__"}


def test_an_import_loads_neither_polars_nor_a_stage() -> None:
    code = "import sys, overtrick; print([n for n in sys.modules if n.startswith(('polars', 'numpy', 'overtrick.'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "['overtrick.core', 'overtrick.core.version']" == done.stdout.strip()


def test_dir_lists_the_public_names_and_others_are_an_attribute_error() -> None:
    assert {*ot.__all__} == {*dir(ot)}
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        ot.evalute  # type: ignore[attr-defined]  # noqa: B018 - a mistyped name


@pytest.mark.parametrize("test", doctest.DocTestFinder().find(api), ids=lambda test: test.name)
def test_examples_of_docstrings_print_what_they_show(
    test: doctest.DocTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    monkeypatch.chdir(tmp_path)
    assert 0 == doctest.DocTestRunner().run(test).failed


@pytest.mark.parametrize("name", ["bulletin", "check", "convert", "evaluate", "fix", "read"])
def test_each_function_shows_an_example(name: str) -> None:
    if hasattr(ot, name):
        assert ">>> import overtrick as ot" in (getattr(ot, name).__doc__ or "")


def test_settings_are_a_path_or_an_object(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[scoring]\nmethod = "butler"\n', "utf-8")
    by_path = ot.evaluate(EVENING, tmp_path / "club.toml")
    by_object = ot.evaluate([Path(EVENING)], ot.Config.model_validate({"scoring": {"method": "butler"}}))
    assert ("butler", "butler") == (by_path.facts.method, by_object.facts.method)
    assert by_path.standings.equals(by_object.standings)


@pytest.mark.parametrize("name", ["read", "evaluate", "check", "bulletin"])
def test_a_path_that_leads_nowhere_raises_an_error(name: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"no such file or folder; did you mean fixtures/club-evening\.pbn"):
        getattr(ot, name)("fixtures/club-evning.pbn")


def test_a_target_of_no_format_is_a_value_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"expected a name that ends in \.pbn"):
        ot.convert(EVENING, tmp_path / "evening.doc")


def test_a_conversion_never_replaces_its_source(tmp_path: Path) -> None:
    source = tmp_path / "evening.pbn"
    source.write_bytes(Path(EVENING).read_bytes())
    with pytest.raises(ValueError, match="replace the source"):
        ot.convert(source, source)


def test_a_source_that_cannot_be_read_leaves_the_target_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "kept.pbn").write_text("kept", "utf-8")
    (tmp_path / "no.lin").write_bytes(b"\x00\xff\x01" * 9)
    ot.convert(tmp_path / "no.lin", tmp_path / "kept.pbn")
    assert "kept" == (tmp_path / "kept.pbn").read_text("utf-8")


def test_the_method_and_the_corrections_are_those_that_are_named(tmp_path: Path) -> None:
    entry = '[[corrections]]\nboard = 1\npair = "2"\ncontract = "4S+1 N"\nwhy = "x"\n'
    (tmp_path / "mine.toml").write_text(entry, "utf-8")
    session = ot.evaluate("fixtures/spring-pairs.csv", method="cross-imps", corrections=tmp_path / "mine.toml")
    assert "cross-imps" == session.facts.method
    assert [11] == session.results.filter(board=1, ns="2")["tricks"].to_list()
