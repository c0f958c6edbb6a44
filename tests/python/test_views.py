"""mb.run, mb.records and the program's views as data."""

from pathlib import Path

import macrobench as mb
import pandas as pd
import pytest

Results = tuple[Path, pd.DataFrame]


def test_run(results: Results) -> None:
    rows = results[1]
    assert len(rows) == 6 and set(rows.implementation) == {"serial", "thrust_omp", "frontier"}
    assert set(rows.nk) == {128, 256}
    assert rows.valid_seconds.all() if "valid_seconds" in rows else (rows.seconds > 0).all()
    assert rows.samples.map(len).min() >= 1
    fastest = rows.loc[rows.seconds.idxmin()]
    assert fastest.implementation == "frontier"
    median = rows.samples.map(lambda seconds: pd.Series(seconds).median())
    assert (median / rows.seconds).between(0.5, 2).all()


def test_records_are_the_rows_of_run(results: Results) -> None:
    folder, rows = results
    kept = mb.records(folder)
    assert sorted(kept.key) == sorted(rows.key)
    assert sorted(kept.seconds) == sorted(rows.seconds)
    with pytest.raises(mb.UsageError, match="no records.jsonl"):
        mb.records(folder / "nowhere")


def test_records_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    for text, why in (
        ("{}", "is not a record"),
        ("torn {", "is not a record"),
        ("7", "is not a record"),
        ('{"schema": 9}', "schema 9"),
    ):
        file.write_text(text + "\n")
        with pytest.raises(mb.UsageError, match=f"records.jsonl:1: .*{why}"):
            mb.records(tmp_path)


def test_what_cannot_run_is_a_row() -> None:
    rows = mb.run("rbc", "serial", nk=64, deadline="10m", iteration_cap=3)
    assert list(rows.status) == ["invalid"] and "not converged" in rows.why[0]
    assert rows.seconds.isna().all()


def test_a_case_that_was_not_run_says_which_it_is() -> None:
    rows = mb.run("rbc", "serial", nk=[64, 65536], budget="2s")
    assert list(rows.nk) == [64, 65536]
    assert set(rows.implementation) == {"serial"}
    assert rows.status[1] == "not_run"
    assert "budget" in rows.why[1]


def test_table(results: Results) -> None:
    view = mb.table("aldrich_2014/table_2", results=results[0])
    cells = view.frame()
    assert view.tables[0] == "cells"
    measured = cells[cells.here_kind.isin(["measured", "noisy"])]
    assert {128, 256} == set(measured.nk)
    assert "published" in cells and len(cells) > 50
    assert "Table 2" in str(view)
    assert "<table" in view._repr_html_() and "<script" not in view._repr_html_()


def test_compare(results: Results) -> None:
    view = mb.compare("published/c2075", *results[0].glob("*"))
    assert "ratio" in view.frame() and view.frame("sides").shape[0] == 2
    one = mb.compare("published/c2075", *results[0].glob("*"), tables="aldrich_2014/table_2")
    assert set(one.frame().table) == {"aldrich_2014/table_2"}
    with pytest.raises(mb.UsageError, match="published/c2075"):
        mb.compare("published/c2057", *results[0].glob("*"))


def test_claims(results: Results) -> None:
    rows = mb.claims(results=results[0]).frame()
    assert {"paper", "claim", "verdict"} <= set(rows)


def test_there_are_no_results(tmp_path: Path) -> None:
    with pytest.raises(mb.UsageError):
        mb.table("aldrich_2014/table_2", results=tmp_path / "nowhere")
    with pytest.raises(mb.UsageError, match="table_2"):
        mb.table("aldrich_2014/table_3", results=tmp_path)
