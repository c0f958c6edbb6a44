"""Solutions and the papers' figures, drawn with matplotlib."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import UsageError, needs
from ._executable import OK, ask, option

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._solution import Solution


def draw(solution: Solution, what: str | None) -> Figure:
    possible = {name: drawing for name, (array, drawing) in DRAWINGS.items() if array in solution.arrays}
    if not possible:
        raise UsageError(f"a solution of {solution.model} has nothing that can be drawn")
    name = what or next(iter(possible))
    if name not in possible:
        raise UsageError(f"a solution of {solution.model} has no {name!r} to draw; it has {', '.join(possible)}")
    figure = _new_figure(3.5)
    possible[name](solution, figure.subplots())
    figure.axes[0].set_title(f"{solution.model}/{solution.implementation}", fontsize="medium")
    return figure


def _new_figure(height: float) -> Figure:
    """Unlike pyplot's, it is in no list of open figures; a notebook shows it all the same."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise needs("matplotlib", "a figure") from None

    class Shown(Figure):
        def _repr_png_(self) -> bytes:
            file = io.BytesIO()
            self.savefig(file, format="png")
            return file.getvalue()

    return Shown(figsize=(5, height), layout="constrained")


def _lines(solution: Solution, name: str, values: np.ndarray[Any, Any], plot: Axes, x: Any = None) -> None:
    """A line for each point of all axes but the last; of many, some."""
    axes = solution.axes.get(name, ())
    along = axes[-1] if axes else "index"
    if x is None:
        x = solution.grids.get(along, np.arange(values.shape[-1]))
    rows = values.reshape(-1, values.shape[-1])
    most = 8
    for row in np.unique(np.linspace(0, len(rows) - 1, min(len(rows), most)).round().astype(int)):
        at = np.unravel_index(row, values.shape[:-1])
        label = ", ".join(f"{axis} = {_coordinate(solution, axis, int(i))}" for axis, i in zip(axes, at, strict=False))
        plot.plot(x, rows[row], label=label or None, linewidth=1)
    plot.set_xlabel(along)
    if len(rows) > 1:
        plot.legend(fontsize="x-small")


def _coordinate(solution: Solution, axis: str, index: int) -> str:
    grid = solution.grids.get(axis)
    return f"{grid[index]:.4g}" if isinstance(grid, np.ndarray) and grid.ndim == 1 else str(index)


def _value(solution: Solution, plot: Axes) -> None:
    V = np.asarray(solution.V)
    _lines(solution, "V", V, plot)
    plot.set_ylabel("V")


def _policy(solution: Solution, plot: Axes) -> None:
    """What is chosen less what is there, which all but the corners of a policy hide in a line of 45 degrees."""
    policy = np.asarray(solution.policy)
    along = solution.axes["policy"][-1]
    grid = solution.grids[along]
    if policy.dtype.kind in "iu":
        policy = grid[policy]  # indices of the grid's points
    is_held = grid <= solution.arrays.get("last_wealth", grid).max()  # no household is beyond
    _lines(solution, "policy", (policy - grid)[..., is_held], plot, grid[is_held])
    plot.set_ylabel(f"{along}' - {along}")


def _lorenz(solution: Solution, plot: Axes) -> None:
    wealth = np.sort(np.asarray(solution.last_wealth))
    households = np.linspace(0, 1, len(wealth) + 1)
    plot.plot(households, np.concatenate([[0], wealth.cumsum() / wealth.sum()]))
    plot.plot([0, 1], [0, 1], color="gray", linewidth=0.8)
    gini = 1 - 2 * np.sum(np.concatenate([[0], wealth.cumsum()[:-1]]) + wealth / 2) / wealth.sum() / len(wealth)
    plot.set(xlabel="share of households, the poorest first", ylabel="share of wealth", xlim=(0, 1), ylim=(0, 1))
    plot.text(0.05, 0.9, f"Gini {gini:.2f}")


def _path(solution: Solution, plot: Axes) -> None:
    K = np.asarray(solution.arrays["K"])
    plot.plot(np.arange(len(K)), K, linewidth=0.8)
    plot.set(xlabel="period", ylabel="mean capital")


#: What can be drawn: the array that it needs, and how.
DRAWINGS: dict[str, tuple[str, Callable[[Solution, Axes], None]]] = {
    "policy": ("policy", _policy),
    "value": ("V", _value),
    "lorenz": ("last_wealth", _lorenz),
    "path": ("K", _path),
}


def figure(name: str, /, *, results: str | Path | None = None) -> Figure:
    """A figure of a paper, from this machine's results: mb.figure("aldrich_2014/figure_4").

    results: a machine's folder; this machine's in results/ if None.
    Raises UsageError for an unknown figure, or if there are no results.
    """
    with tempfile.TemporaryDirectory(prefix="macrobench_") as temporary:
        words = ["report", *option("out", temporary)]
        answer = ask(words if results is None else [*words, *option("results", results)])
        if answer.code != OK:
            raise answer.error()
        files = {file.stem: file for file in Path(temporary, "figures").glob("*.json")}
        if (file := files.get(name.replace("/", "_"))) is None:
            raise UsageError(f"there is no figure {name!r}; there are {', '.join(sorted(files))}")
        return _drawn(json.loads(file.read_text(encoding="utf-8")))


def _drawn(about: dict[str, Any]) -> Figure:
    figure = _new_figure(3 * max(1, len(about["panels"])))
    columns = np.array(about["rows"], dtype=float).T
    for panel, plot in zip(about["panels"], figure.subplots(len(about["panels"]), squeeze=False)[:, 0], strict=True):
        for line in panel["lines"]:
            plot.plot(
                columns[line["x"]],
                columns[line["y"]],
                color=line["colour"],
                linestyle=line["stroke"],
                marker="o" if line["has_marker"] else None,
                markersize=3,
                label=line["title"] or None,
            )
        plot.set(
            title=panel["title"],
            xlabel=panel["x_label"],
            ylabel=panel["y_label"],
            xscale="log" if panel["log_x"] else "linear",
            yscale="log" if panel["log_y"] else "linear",
        )
        if plot.get_legend_handles_labels()[1]:
            plot.legend(fontsize="x-small")
    figure.suptitle(about["title"], fontsize="medium", wrap=True)
    return figure
