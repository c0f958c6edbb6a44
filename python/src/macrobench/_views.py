"""The program's own views of results: tables, comparisons, claims."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._executable import INVALID, OK, ask, option
from ._records import frame

if TYPE_CHECKING:
    import pandas


class View:
    """What a command of the program shows: str() has it as text, a notebook as tables, frames as data.

    tables: names of the data's tables; the first is the main one.
    """

    def __init__(self, words: Sequence[str], shown: Sequence[str] = ()) -> None:
        """words: the command and its options; shown: options of what a person sees alone."""
        self._words, self._shown = list(words), list(shown)
        self._data: dict[str, Any] = ask([*words, "--format", "json"]).json()["tables"]

    @property
    def tables(self) -> list[str]:
        return list(self._data)

    def frame(self, table: str | None = None) -> pandas.DataFrame:
        """A table as a pandas.DataFrame, the first if None. docs/results.md describes the columns.

        Raises KeyError for an unknown table, Error if pandas is missing.
        """
        return frame(self._data[table or self.tables[0]]["rows"], "View.frame")

    @cached_property
    def text(self) -> str:
        return ask([*self._words, *self._shown, "--format", "text"]).text

    @cached_property
    def html(self) -> str:
        """The page's body, without its style and script."""
        page = ask([*self._words, *self._shown, "--format", "html"]).text
        body = re.search(r"<body[^>]*>(.*)</body>", page, re.DOTALL)
        return re.sub(r"<(script|style)\b.*?</\1>", "", body.group(1) if body else page, flags=re.DOTALL)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.html


def table(name: str, /, *, results: str | Path | None = None) -> View:
    """A table of a paper, published beside measured: mb.table("aldrich_2014/table_2").

    results: a machine's folder, or a part of its name; this machine's in results/ if None.
    Raises UsageError for an unknown table, or if there are no results.
    """
    return View(["tables", name, *_of(results)])


def replicate(*tables: str, budget: str = "5m", results: str | Path = "results") -> View:
    """Measures what tables need, and shows them: mb.replicate("aldrich_2014/table_2").

    tables: tables or papers; all if none.
    budget: how long it may measure: "90s", "5m", "none". Cells that do not fit have no number.
    results: the folder around machines' folders, which keeps the records: what is there is not measured again.
    """
    answer = ask(["replicate", *tables, *option("budget", budget), *option("results", results), "--json"])
    if answer.code not in (OK, INVALID):
        raise answer.error()
    return View(["tables", *tables, *_of(None if str(results) == "results" else results)])


def compare(*sides: str | Path, tables: str | Sequence[str] = ()) -> View:
    """Machines against each other, cell by cell: mb.compare("published/c2075", "results/nvidia_h200").

    sides: the first against the others: published/MACHINE, a folder of results, or "here", this machine's in results/.
    tables: tables or papers; all if empty.
    Raises UsageError for an unknown side, or if they have no time in common.
    """
    words = ["compare", *(str(side) for side in sides)]
    for one in [tables] if isinstance(tables, str) else tables:
        words += option("tables", one)
    return View(words)


def claims(*, results: str | Path | None = None) -> View:
    """Sentences of the papers that a measurement can support or contradict, and what this machine's say.

    results: a machine's folder; this machine's in results/ if None.
    """
    return View(["claims", *_of(results)])


def _of(results: str | Path | None) -> list[str]:
    return [] if results is None else option("results", results)
