"""A function of the user's as a program that macrobench times and certifies."""

from __future__ import annotations

import functools
import html
import importlib.util
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import UsageError, needs
from ._executable import IN_CHILD, INVALID, OK, about, ask, option, word
from ._records import median_seconds, sweep, why_of
from ._results import RESULTS

#: Libraries whose versions are a part of a record, if the function's process has loaded them.
LIBRARIES = ("numpy", "scipy", "numba", "jax", "jaxlib", "cupy", "torch")


@dataclass(eq=False)
class Program:
    """A function of a problem, and the model that it solves. It can still be called.

    It stands where an implementation's name does: mb.run("rbc", [mine, "frontier"]), mb.check(mine).
    """

    function: Callable[..., Any]
    model: str
    name: str
    real: tuple[str, ...]
    devices: tuple[str, ...]
    takes: Mapping[str, Sequence[Any]]

    def __post_init__(self) -> None:
        functools.update_wrapper(self, self.function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)

    @property
    def names(self) -> list[str]:
        """As an implementation, on each of its devices."""
        return [self.name if device == "cpu" else f"{self.name}_{device}" for device in self.devices]

    def write(self, parent: Path) -> Path:
        """Writes a program's folder, in a folder that is to outlive its runs."""
        folder = parent / self.name
        folder.mkdir(parents=True, exist_ok=True)
        path = os.pathsep.join(dict.fromkeys([str(Path(__file__).resolve().parents[1]), *filter(None, sys.path)]))
        if sys.path[:1] == [""]:  # a notebook's, or of python -c
            path += os.pathsep + str(Path.cwd())
        manifest = {
            "contract": "macrobench-program/1",
            "model": self.model,
            "name": self.name,
            "summary": f"{self.function.__qualname__}, a function in Python",
            "authors": ["you"],
            "command": [sys.executable, "-m", "macrobench._serve", "{here}"],
            "environment": {"PYTHONPATH": path, IN_CHILD: "1"},
            "real": list(self.real),
            "devices": list(self.devices),
            "parameters": {name: list(values) for name, values in self.takes.items()},
            "batch": 1000,  # short solutions are timed together
        }
        function = {
            "model": self.model,
            "libraries": [name for name in LIBRARIES if name in sys.modules],
            **self._where(folder),
        }
        for name, content in (("program.json", manifest), ("function.json", function)):
            (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        return folder

    def _where(self, folder: Path) -> dict[str, str]:
        """How its process finds the function: in its module's file, or in a pickle beside."""
        function = self.function
        module = sys.modules.get(function.__module__)
        file = getattr(module, "__file__", None)
        of_this_name = getattr(module, function.__qualname__, None)  # which may be a later one
        is_top = function is of_this_name or function is getattr(of_this_name, "function", None)
        if file and is_top and Path(file).exists():
            # Not read: the digest of the folder, which tells one version of the program from the next, needs it.
            (folder / "source.txt").write_bytes(Path(file).read_bytes())
            module_name = function.__module__
            if module_name == "__main__":  # of a script, or of python -m PACKAGE.MODULE
                module_name = spec.name if (spec := getattr(module, "__spec__", None)) else ""
            return {"file": str(Path(file).resolve()), "module": module_name, "function": function.__qualname__}
        if importlib.util.find_spec("cloudpickle") is None:
            raise needs("cloudpickle", f"{self.name}, which stands in no module's file,")
        import cloudpickle  # type: ignore[import-untyped,import-not-found,unused-ignore]

        try:
            pickled = cloudpickle.dumps(function)
        except Exception as error:  # of any class: an object's own method may raise it
            raise UsageError(
                f"{self.name}, which stands in no module's file, uses what cannot be sent: {error}"
            ) from None
        (folder / "function.pickle").write_bytes(pickled)
        return {"pickle": "function.pickle"}


def program(
    model: str,
    *,
    name: str | None = None,
    real: str | Sequence[str] = "double",
    device: str | Sequence[str] = "cpu",
    threads: int = 1,
    takes: Mapping[str, Sequence[Any]] | None = None,
) -> Callable[[Callable[..., Any]], Program]:
    """Makes a program of a function: NumPy, JAX, CuPy, Numba, PyTorch.

        @mb.program("rbc")
        def mine(problem):
            ...
            return V, policy

    The problem's arrays and numbers are attributes: problem.K, problem.beta. The function returns the arrays in the
    order of programs/MODEL/README.md, or all its results by name in a dictionary. Numbers that it does not return,
    such as a count of iterations, are 1 in the record. A result on a GPU, and one of JAX, is waited for.

    name: the program's, after the model's; the function's if None.
    real: "double", "single", or both, the first by default. Arrays of a problem have this precision.
    device: "cpu", "gpu" or both.
    threads: how many it can use; it gets one unless threads= is asked for.
    takes: what it takes of the parameters that not all programs have, as program.json's "parameters":
        {"maximizer": ["bisection"], "nk": [2, 4096]}.

    It runs in a process of its own, which imports the function's module, or has the function from cloudpickle if it
    was typed in a notebook. Raises UsageError for a model that programs cannot solve, a name that is none, and an
    unknown precision or device.
    """
    if model not in RESULTS:
        raise UsageError(f"programs solve {', '.join(RESULTS)}, and not {model!r}")
    if name is not None and not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise UsageError(f"{name!r}: a name has small letters, digits and _, and begins with a letter")
    reals = _some_of("real", real, ("double", "single"))
    devices = _some_of("device", device, ("cpu", "gpu"))

    def decorate(function: Callable[..., Any]) -> Program:
        if not hasattr(function, "__qualname__"):
            raise UsageError(f"a function is needed, and not a {type(function).__name__}: def mine(problem): ...")
        its_name = name or re.sub(r"[^a-z0-9_]", "_", function.__name__.lower()).lstrip("_0123456789") or "mine"
        both = {"threads": [1, threads]} if threads > 1 else {}
        return Program(function, model, its_name, reals, devices, {**both, **(takes or {})})

    return decorate


def _some_of(what: str, given: str | Sequence[str], possible: Sequence[str]) -> tuple[str, ...]:
    chosen = (given,) if isinstance(given, str) else tuple(given)
    if not chosen or not set(chosen) <= set(possible):
        raise UsageError(f"{what} = {given!r}: it is {possible[0]!r}, {possible[1]!r}, or a list of both")
    return chosen


def refuse_clashes(model: str, implementations: Sequence[str | Program]) -> None:
    """Raises UsageError if one is neither a name nor a Program, solves another model, or has the name of another."""
    programs = [one for one in dict.fromkeys(implementations) if not isinstance(one, str)]
    if not programs:
        return
    for one in programs:
        if not isinstance(one, Program):
            raise UsageError(f"{getattr(one, '__name__', one)!s} is no program: write @mb.program(MODEL) above it")
        if one.model != model:
            raise UsageError(f"{one.name} solves {one.model}, and not {model}")
    taken = {one["name"] for one in about(model)["implementations"]}
    for name in (name for one in programs for name in one.names):
        if name in taken:
            raise UsageError(f"there is another {model}/{name}; choose another name: @mb.program({model!r}, name=...)")
        taken.add(name)


@dataclass(frozen=True)
class Check:
    """What mb.check found.

    right: whether all of its results are; why: the first reason if not.
    rows: the check's case by each solver: solver, seconds (of a warm solution), times (how many times yours takes).
    report: all that was looked at, line by line.
    """

    right: bool
    why: str | None
    rows: Sequence[Mapping[str, Any]]
    report: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return "\n".join([self._verdict(), *("  ".join(cells) for cells in self._cells())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell.strip())}</td>" for cell in cells) + "</tr>"
            for cells in self._cells()
        )
        return f"<p>{html.escape(self._verdict())}</p><table>{rows}</table>"

    def _verdict(self) -> str:
        return "right" if self.right else f"wrong: {self.why}"

    def _cells(self) -> list[tuple[str, ...]]:
        width = max((len(row["solver"]) for row in self.rows), default=0)
        return [(row["solver"].ljust(width), f"{row['seconds']:10.3g} s", _words(row["times"])) for row in self.rows]


def _words(times: float | None) -> str:
    if times is None:
        return ""
    return f"yours takes {times:.2g} times as long" if times >= 1 else f"yours is {1 / times:.2g} times as fast"


def check(mine: Program, /, *, deadline: str = "20s", **parameters: Any) -> Check:
    """Says whether a program is right, or why not; and how fast it is, beside ours and the published ones.

    It is tried on small problems, with every choice that it takes, and against mistakes such as a truncated file. If
    all are right it is timed at the parameters, beside our published program on one core and our fastest, which
    take turns on this machine.

    deadline: how long each small solution may take. The timed process may take a minute.
    parameters: of the timed case, as in mb.solve; nk=1024 and the like if there is none.
    Raises UsageError if one of ours has its name, or if it is none that mb.program made.
    """
    refuse_clashes(getattr(mine, "model", ""), [mine])
    for name, value in parameters.items():
        if re.search(r",|\.\.", word(value)):
            raise UsageError(f"{name} = {word(value)}: one case is checked, and mb.run takes a list")
    with tempfile.TemporaryDirectory(prefix="macrobench_") as temporary:
        answer = ask(["check-program", str(mine.write(Path(temporary))), *option("deadline", deadline)])
        wrong = [line.split("WRONG", 1)[1].strip() for line in answer.text.splitlines() if "WRONG" in line]
        if answer.code == INVALID and wrong:
            return Check(False, wrong[0], [], answer.text)
        if answer.code != OK:
            raise answer.error()
        model = about(mine.model)
        parameters = parameters or {model["size_axis"]: model["trial_sizes"][-1]}
        more = option("deadline", "1m")
        for name, value in parameters.items():
            more += option(name, value)
        results = Path(temporary, "results")
        records = sweep(mine.model, [mine, *_ours(model, mine.devices[0] == "gpu")], Path(temporary), results, more)
        own = next(record for record in records if record["key"].split()[0] == f"{mine.model}/{mine.names[0]}")
        seconds = median_seconds(own) if own["status"] in BELIEVED else None
        if seconds is None:
            return Check(False, why_of(own), [], answer.text)
        rows = [{"solver": _called("yours", own), "seconds": seconds, "times": None}]
        for record in records:
            if record is not own and record["status"] in BELIEVED:
                rows.append(_beside(_called(record["key"].split()[0], record), median_seconds(record), seconds))
        rows += [_beside(who, its, seconds) for who, its in _published(own, results, model)]
        return Check(True, None, rows, answer.text)


def _called(who: str, record: Mapping[str, Any]) -> str:
    return who if record["status"] == "measured" else f"{who} ({record['status']})"


def _beside(who: str, its: float | None, seconds: float) -> dict[str, Any]:
    return {"solver": who, "seconds": its, "times": seconds / its if its else None}


def _ours(model: Mapping[str, Any], on_gpu: bool) -> list[str]:
    """Our plainest published program that runs on such a device here, and our fastest; none in another language."""
    others = [one["name"] for one in ask(["list", "programs", "--json"]).json()]
    there = {
        one["name"]
        for one in model["implementations"]
        if one["on_gpu"] == on_gpu and not one["why_not"] and f"{model['name']}/{one['name']}" not in others
    }
    return [name for name in ("serial", "cpu", "cuda_c", "cuda_software", "frontier", "frontier_cuda") if name in there]


def _published(record: Mapping[str, Any], results: Path, model: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The fastest solution that each paper printed of the same problem, by any program."""
    its, size_axis, axes = record["case"]["parameters"], model["size_axis"], [axis["name"] for axis in model["axes"]]
    fastest: dict[str, tuple[str, float]] = {}
    for cell in ask(["tables", *option("results", results), "--json"]).json()["tables"]["cells"]["rows"]:
        given = {name: cell[name] for name in axes if cell.get(name) is not None}
        is_same = size_axis in given and all(its.get(name, value) == value for name, value in given.items())
        if is_same and cell["quantity"] == "solution" and cell["published_kind"] == "printed":
            title = f"published: {cell['row']}, {cell['paper']}/{cell['table']}"
            fastest[cell["paper"]] = min(
                fastest.get(cell["paper"], (title, math.inf)), (title, cell["published"]), key=lambda one: one[1]
            )
    return list(fastest.values())


#: Of a record whose result is right, and whose time is one.
BELIEVED = ("measured", "noisy")
