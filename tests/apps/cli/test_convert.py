"""`overtrick convert`."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from overtrick.files.assemble import read
from tests.apps.cli.test_check import TWO_ACES
from tests.support.commands import EVENING, FIXTURES, run, start


def test_pbn_is_written_as_it_was_read(tmp_path: Path) -> None:
    ran = run("convert", EVENING, tmp_path / "evening.pbn")
    assert (0, "") == (ran.status, ran.out)
    assert Path(EVENING).read_bytes() == (tmp_path / "evening.pbn").read_bytes()


def test_a_file_keeps_its_encoding(tmp_path: Path) -> None:
    source = tmp_path / "a.pbn"
    source.write_bytes('[North "Åse"]\n'.encode("latin-1"))
    run("convert", source, tmp_path / "b.pbn")
    assert source.read_bytes() == (tmp_path / "b.pbn").read_bytes()


def test_export_form_is_written_on_request(tmp_path: Path) -> None:
    ran = run("convert", EVENING, tmp_path / "evening.PBN", "--export")
    assert 0 == ran.status
    assert (tmp_path / "evening.PBN").read_bytes().startswith(b"% PBN 2.1\r\n% EXPORT\r\n")
    assert "pbn-export-changed" in ran.err


@pytest.mark.slow
def test_scores_of_the_export_form_are_those_of_the_file(tmp_path: Path) -> None:
    run("convert", EVENING, tmp_path / "evening.pbn", "--export")
    printed = [run("score", path, "--rows", "results", "--format", "csv").out for path in (EVENING, tmp_path)]
    assert printed[0] == printed[1]


@pytest.mark.slow
def test_json_csv_and_parquet_hold_what_score_gives(tmp_path: Path) -> None:
    for name in ("evening.json", "evening.csv", "evening.parquet"):
        assert 0 == run("convert", EVENING, tmp_path / name).status
    assert 24 * 8 == len(json.loads((tmp_path / "evening.json").read_text("utf-8"))["results"])
    assert 24 * 8 == pl.read_parquet(tmp_path / "evening.parquet").height
    assert run("score", EVENING).out == run("score", tmp_path / "evening.csv").out


@pytest.mark.slow
def test_standard_input_can_be_converted(tmp_path: Path) -> None:
    ran = start("convert", "-", tmp_path / "one.pbn", given=b'[ Board "1" ]')
    assert 0 == ran.status
    assert b'[Board "1"]\n' == (tmp_path / "one.pbn").read_bytes()


def test_a_file_is_converted_into_itself_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "one.pbn"
    path.write_bytes(b'[ Board "1" ]\n')
    refused = run("convert", path, path)
    assert 2 == refused.status
    assert "--yes" in refused.err
    assert b'[ Board "1" ]\n' == path.read_bytes()
    assert 0 == run("convert", path, path, "--yes").status
    assert [b'[Board "1"]\n'] == [file.read_bytes() for file in tmp_path.iterdir()]


def test_errors_in_the_data_are_reported_and_the_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "fouled.pbn"
    path.write_bytes(TWO_ACES)
    ran = run("convert", path, tmp_path / "new.pbn")
    assert 1 == ran.status
    assert f"{path}:4:" in ran.err
    assert (tmp_path / "new.pbn").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new.xyz"], ".rzd, .cds, .gib, .dds, .links (page with links to hands), .lin, .parquet"),
        (["new.csv", "--export"], "is for .pbn files"),
        (["missing/new.csv"], "can't be written"),
    ],
)
def test_wrong_usage_is_reported(tmp_path: Path, arguments: list[str], message: str) -> None:
    name, *options = arguments
    ran = run("convert", EVENING, tmp_path / name, *options)
    assert 2 == ran.status
    assert message in " ".join(ran.err.replace("│", " ").split())


def test_several_files_are_joined_only_in_export_form(tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    for name in ("passed-out-board.pbn", "result-unknown.pbn"):
        shutil.copy(FIXTURES / name, tmp_path / "both")
    assert 2 == run("convert", tmp_path / "both", tmp_path / "all.pbn").status
    assert not (tmp_path / "all.pbn").exists()
    run("convert", tmp_path / "both", tmp_path / "all.pbn", "--export")
    assert 3 + 4 == (tmp_path / "all.pbn").read_bytes().count(b"\r\n[Event ")


def test_an_unreadable_source_leaves_the_target_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "new.pbn"
    target.write_bytes(b"old")
    assert 2 == run("convert", tmp_path / "missing.pbn", target).status
    assert b"old" == target.read_bytes()
    (tmp_path / "binary.pbn").write_bytes(bytes(range(32)) * 80)
    assert 1 == run("convert", tmp_path / "binary.pbn", target).status
    assert b"old" == target.read_bytes()


@pytest.mark.parametrize("name", ["deals.dup", "deals.bri", "deals.dge", "deals.dlm", "deals.ber", "deals.bhg"])
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_deals_go_to_a_dealing_machine_and_back(name: str, tmp_path: Path) -> None:
    target, back = tmp_path / name, tmp_path / "back.pbn"
    assert 0 == run("convert", EVENING, target).status
    assert 0 == run("convert", target, back).status
    boards = [dict(read([str(path)]).records.select("board", "deal").rows()) for path in (EVENING, back)]
    assert boards[0] == boards[1]


@pytest.mark.slow
def test_usebio_is_written_for_national_bodies(tmp_path: Path) -> None:
    assert 0 == run("convert", EVENING, tmp_path / "evening.xml").status
    assert run("score", EVENING).out == run("score", tmp_path / "evening.xml").out


def test_losses_are_reported(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text("board,ns,ew,score_ns\n1,1,2,420\n")
    ran = run("convert", table, tmp_path / "deals.dup")
    assert 0 == ran.status
    assert "not-written" in ran.err
