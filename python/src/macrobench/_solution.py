"""Solutions: arrays, their axes and units, and the certificate."""

from __future__ import annotations

import html
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import Error, Invalid, UsageError
from ._executable import about, ask, option
from ._records import median_seconds, why_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: An array, or one number.
Value = Any

#: A short name where there is one array that it can mean.
SHORT_NAMES = {"wealth": "last_wealth"}


@dataclass(frozen=True)
class Certificate:
    """What the model's own check found, which is other code than any implementation's.

    valid: whether the result is right: residual is at most allowed at every state that was looked at.
    residual, allowed: in the unit that `macrobench list MODEL` gives; None if none was computed.
    checked_states: how many were looked at; exhaustive if these are all.
    iterations: the implementation's own count.
    figures: errors, moments and the like by name; `macrobench list MODEL` defines them.
    notes: words on the result.
    """

    valid: bool
    why: str | None
    residual: float | None
    allowed: float | None
    checked_states: int
    exhaustive: bool
    iterations: int
    figures: Mapping[str, float | None]
    notes: Mapping[str, str]

    @classmethod
    def of(cls, outcome: Mapping[str, Any]) -> Certificate:
        return cls(**{name: outcome[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Solution:
    """A certified solution. Its arrays are attributes: s.V, s.policy, s.K.

    model, implementation: as in "rbc/frontier".
    parameters: all of the case, the calibration among them.
    arrays: what was computed, by name: NumPy arrays, and single numbers.
    grids: the problem's own arrays, by name: grids, chains of shocks.
    axes: the names of each array's axes; the last one runs fastest.
    units: of those arrays that have one.
    certificate: the check's own words and numbers.
    record: samples, conditions, the machine's id; None if the solution was loaded from a folder.

    An attribute is the solution's array of this name, else the problem's, else a parameter.
    """

    model: str
    implementation: str
    parameters: Mapping[str, Any]
    arrays: Mapping[str, Value]
    grids: Mapping[str, Value]
    axes: Mapping[str, tuple[str, ...]]
    units: Mapping[str, str]
    certificate: Certificate
    record: Mapping[str, Any] | None = field(default=None, repr=False)

    def __getattr__(self, name: str) -> Value:
        if name.startswith("__"):
            raise AttributeError(name)
        if (meant := SHORT_NAMES.get(name, "")) in self.arrays:
            name = meant
        for values in (self.arrays, self.grids, self.parameters):
            if name in values:
                return values[name]
        known = ", ".join([*self.arrays, *self.grids])
        raise AttributeError(f"a solution of {self.model}/{self.implementation} has no {name}; it has {known}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.arrays, *self.grids})

    @property
    def seconds(self) -> float | None:
        """Of a warm solution: the median of the process's; of the first, if there was no other. None: not timed."""
        return median_seconds(self.record) if self.record else None

    def figure(self, what: str | None = None) -> Figure:
        """Draws "policy", "value", "lorenz" or "path" (of mean capital); the first that the solution has if None.

        Raises UsageError if it has no such array, Error if matplotlib is missing.
        """
        from ._figures import draw

        return draw(self, what)

    def __repr__(self) -> str:
        seconds = "" if self.seconds is None else f" in {self.seconds:.3g} s"
        return f"<{self.model}/{self.implementation}: {', '.join(self.arrays)}; right{seconds}, {self._looked()}>"

    def _repr_html_(self) -> str:
        rows = [("", "shape", "axes", "unit")]
        for name, value in self.arrays.items():
            shape = " x ".join(map(str, np.shape(value))) or f"{value:.6g}"
            rows.append((name, shape, ", ".join(self.axes.get(name, ())), self.units.get(name, "")))
        cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"

    def _looked(self) -> str:
        at = self.certificate
        if at.residual is None or at.allowed is None:
            return "certified"
        states = f"{'all' if at.exhaustive else 'a sample of'} {at.checked_states:,} states"
        return f"residual {at.residual:.1e} of {at.allowed:.1e} allowed at {states}"


def load(folder: str | Path) -> Solution:
    """The solution in a folder that `macrobench run --out` or `sweep --out` wrote.

    Raises UsageError if there is none, or its files are not what solution.json says. `macrobench verify` certifies it
    again; this only reads.
    """
    return _solution_in(Path(folder), None)


def _solution_in(folder: Path, record: Mapping[str, Any] | None) -> Solution:
    try:
        about = json.loads((folder / "solution.json").read_text(encoding="utf-8"))
        if about["what"] != "macrobench solution" or about["schema"] != SCHEMA:
            raise UsageError(f"{folder}: the solution is of another version of macrobench")
        arrays, grids = (dict(_arrays(folder, about[what])) for what in ("arrays", "problem"))
        described = [one for what in ("problem", "arrays") for one in about[what]]
        return Solution(
            model=about["case"]["model"],
            implementation=about["case"]["implementation"],
            parameters=about["case"]["parameters"],
            arrays=arrays,
            grids=grids,
            axes={one["name"]: tuple(one.get("axes", ())) for one in described},
            units={one["name"]: one["unit"] for one in described if "unit" in one},
            certificate=Certificate.of(about["certificate"]),
            record=record,
        )
    except OSError as error:
        raise UsageError(f"{folder}: there is no solution: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, Error):
            raise
        raise UsageError(f"{folder}: something in the solution is missing or wrong") from None


def _arrays(folder: Path, described: list[dict[str, Any]]) -> list[tuple[str, Value]]:
    found = []
    counts: dict[str, int] = {}
    for one in described:
        counts[one["name"]] = counts.get(one["name"], 0) + 1
        count = counts[one["name"]]
        name = one["name"] if count == 1 else f"{one['name']}_{count}"  # of a batch's next economy
        if "value" in one:
            value = one["value"]
            found.append((name, float(value) if isinstance(value, str) else value))
        elif "file" in one:
            file = Path(one["file"])
            if file.name != one["file"]:
                raise ValueError
            found.append((name, np.load(folder / file, allow_pickle=False)))
    return found


#: Of a solution.json.
SCHEMA = 2


def solve(
    model: str, /, *, certify: bool = False, deadline: str = "10m", out: str | Path | None = None, **parameters: Any
) -> Solution:
    """Solves a problem, certifies the solution, times it, and gives its arrays: macrobench run.

    model: "rbc" (our best way on one core) or "rbc/serial"; `macrobench list` has them all.
    certify: check every state, however long it takes.
    deadline: how long it may take: "90s", "10m", "none".
    out: a folder that keeps the solution, for mb.load, `macrobench verify` and `--stored`.
    parameters: as `macrobench list MODEL` shows them, beta=.98. An array stands for a file of its numbers, and a
    matrix of bools for a file of bits: capital=K, wealth=k, shocks=employed.

    Raises Invalid if the certificate refuses the result, UsageError for an unknown name, a value out of its range or
    a case that cannot run here, Error if the case failed or took longer than the deadline.
    """
    implementation = model if "/" in model else _best_of(model)
    with tempfile.TemporaryDirectory(prefix="macrobench_") as temporary:
        folder = Path(out) if out is not None else Path(temporary, "solution")
        words = ["run", implementation, "--json", *option("deadline", deadline), *option("out", folder)]
        if certify:
            words.append("--certify")
        for name, value in parameters.items():
            array = _array(name, value)
            words += option(name, _file_of(array, Path(temporary, name)) if array.ndim else value)
        answer = ask(words)
        record = answer.json()
        if record["status"] == "not_run":
            raise UsageError(why_of(record))
        if record["status"] == "invalid":
            raise Invalid(why_of(record) or answer.sentence, record)
        if record["status"] in ("failed", "timeout"):
            raise Error(why_of(record) or answer.sentence)
        return _solution_in(folder, record)


def _array(name: str, value: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except ValueError:
        raise UsageError(f"{name}: the rows of a matrix have one length") from None
    if array.ndim > 2:
        raise UsageError(f"{name}: a list or a matrix of numbers is needed, and this array has {array.ndim} axes")
    return array


def _best_of(model: str) -> str:
    """Our best implementation on the CPU; the plain one of a model that has no better."""
    names = [one["name"] for one in about(model)["implementations"]]
    return f"{model}/{'frontier' if 'frontier' in names else 'serial'}"


def _file_of(array: np.ndarray[Any, Any], path: Path) -> Path:
    """A file of the numbers, as docs/data.md describes it."""
    if array.dtype == bool and array.ndim == 2:
        padded = np.pad(array, ((0, 0), (0, -array.shape[1] % 32)))
        np.packbits(padded, axis=1).tofile(path)
    elif array.dtype.kind in "iufb":
        np.savetxt(path, np.atleast_1d(array.astype(int) if array.dtype.kind == "b" else array), fmt="%.17g")
    else:
        raise UsageError(f"{path.name}: an array of numbers is needed, and this one is of {array.dtype}")
    return path
