"""Records as rows: what was run, what came out, and how long it took."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._conversation import number
from ._errors import Error, UsageError, needs
from ._executable import ask, option

if TYPE_CHECKING:
    import pandas

    from ._program import Program


def frame(rows: Iterable[Mapping[str, Any]], what: str) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise needs("pandas", what) from None
    return pandas.DataFrame(list(rows))


def warm_seconds(record: Mapping[str, Any]) -> list[list[float]]:
    """Of each process: the seconds of its solutions after the first; of the first, where there is no other.

    Solutions that the GPU's throttling slowed down are left out.
    """
    processes = []
    for sample in record.get("samples", []):
        throttled = set(sample.get("gpu", {}).get("throttled", []))
        warm = [seconds for i, seconds in enumerate(sample["solutions"], start=1) if i not in throttled]
        processes.append(warm or [sample["first_solution"]])
    return processes


def median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def median_seconds(record: Mapping[str, Any]) -> float | None:
    """The median over processes of each one's median; None if there is no time."""
    return median([statistics.median(warm) for warm in warm_seconds(record)])


def why_of(record: Mapping[str, Any]) -> str | None:
    """The reason in a sentence; None if all is well."""
    reason = record.get("reason")
    if not reason:
        return None
    return reason["clause"] if not reason["detail"] else f"{reason['clause']}: {reason['detail']}"


def case_of(key: str) -> dict[str, Any]:
    """What a key says of a case that was not run: its parameters, but those that have their defaults."""
    name, *words = key.split()
    model, implementation = name.split("/")
    return {
        "model": model,
        "implementation": implementation,
        "parameters": {name: number(value) for name, value in (word.split("=", 1) for word in words)},
    }


def row_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record as a flat row; its parameters and figures are columns."""
    case = record.get("case") or case_of(record["key"])
    outcome = record.get("outcome") or {}
    is_right = record["status"] not in ("invalid", "failed", "timeout", "not_run")
    samples = record.get("samples", []) if is_right else []
    row = {
        "key": record["key"],
        "model": case.get("model"),
        "implementation": case.get("implementation"),
        **case.get("parameters", {}),
        "status": record["status"],
        "why": why_of(record),
        "seconds": median_seconds(record) if is_right else None,
        "first_seconds": median([sample["first_solution"] for sample in samples]),
        "start_seconds": median([sample["start"] for sample in samples if sample["start"] is not None]),
        "samples": [seconds for process in warm_seconds(record) for seconds in process],
        "iterations": outcome.get("iterations"),
        "residual": outcome.get("residual"),
        "allowed": outcome.get("allowed"),
    }
    for name, value in outcome.get("figures", {}).items():
        row.setdefault(name, value)
    row["machine"], row["time"] = record.get("machine"), record.get("time")
    return row


def run(
    model: str,
    /,
    implementations: str | Program | Sequence[str | Program] | None = None,
    *,
    results: str | Path | None = None,
    budget: str = "none",
    deadline: str = "10m",
    certify: bool = False,
    **parameters: Any,
) -> pandas.DataFrame:
    """Runs a grid of cases, and gives a row for each: macrobench sweep.

    model: "rbc", "krusell_smith" ...: `macrobench list` has them all.
    implementations: names, or functions that mb.program decorates; all of the model if None.
    results: a folder for the records, where the program's own commands find them; they are kept nowhere if None.
    budget, deadline: how long all cases, and each one, may take: "90s", "5m", "none".
    certify: check every state of every result, however long it takes.
    parameters: each a value, or a list of values. Those of the calibration are parameters too.

    In a row, seconds is the median over processes of the median of the warm solutions, first_seconds a process's first
    solution, start_seconds what came before it; samples has each warm solution's seconds. A case that was not run,
    failed or is invalid has no seconds; its status and why say so.

    Raises UsageError for an unknown name, one that two solvers have, or a value out of its range, Error if pandas is
    missing.
    """
    from ._program import Program

    frame((), "macrobench.run")
    if implementations is None:
        chosen: Sequence[str | Program] = []
    elif isinstance(implementations, str | Program):
        chosen = [implementations]
    else:
        chosen = implementations
    more = ["--certify"] if certify else []
    for name, value in {"budget": budget, "deadline": deadline, **parameters}.items():
        more += option(name, value)
    with tempfile.TemporaryDirectory(prefix="macrobench_") as temporary:
        its = sweep(model, chosen, Path(temporary), results or Path(temporary, "results"), more)
    return frame(map(row_of, its), "macrobench.run")


def sweep(
    model: str, implementations: Sequence[str | Program], programs: Path, results: str | Path, more: Sequence[str]
) -> list[dict[str, Any]]:
    """The records of a grid of cases; a case that was not run has a key, a status and a reason.

    programs: a folder for what is not in the build. more: options.
    """
    from ._program import refuse_clashes

    refuse_clashes(model, implementations)
    words = ["sweep", model, "--json", *option("results", results), *more]
    names: list[str] = []
    for one in dict.fromkeys(implementations):
        if isinstance(one, str):
            names.append(one)
        else:
            words += option("programs", one.write(programs))
            names += one.names
    if names:
        words += option("implementations", names)
    found: list[dict[str, Any]] = ask(words).json()
    return found


def records(folder: str | Path = "results") -> pandas.DataFrame:
    """All records below a folder, a row for each as mb.run gives them; later ones of a case come later.

    Raises UsageError if there is none, or a line that is no record.
    """
    files = sorted(Path(folder).rglob("records.jsonl"))
    if not files:
        raise UsageError(f"{folder}: there is no records.jsonl in it or below it")
    rows = []
    for file in files:
        for line_number, line in enumerate(file.read_bytes().splitlines(), start=1):
            try:
                record = json.loads(line)
                if record["schema"] != SCHEMA:
                    raise UsageError(
                        f"{file}:{line_number}: it has schema {record['schema']}, and this version of "
                        f"macrobench reads schema {SCHEMA}"
                    )
                rows.append({**row_of(record), "folder": str(file.parent)})
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                if isinstance(error, Error):
                    raise
                raise UsageError(f"{file}:{line_number}: it is not a record") from None
    return frame(rows, "macrobench.records")


#: Of a line of records.jsonl.
SCHEMA = 3
