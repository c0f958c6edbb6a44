"""Figures of solutions and of the papers."""

from pathlib import Path

import macrobench as mb
import pandas as pd
import pytest


def test_of_a_solution(growth: mb.Solution) -> None:
    for what in ("policy", "value"):
        axes = growth.figure(what).axes[0]
        assert len(axes.lines) == 4 and axes.get_xlabel() == "K"
        assert axes.get_legend() is not None
    # A policy of indices is drawn as capital: what is saved falls, and is none somewhere.
    drawn = growth.figure().axes[0].lines[0].get_ydata()
    assert drawn[0] > 0 > drawn[-1]
    assert abs(drawn).max() < 1
    assert growth.figure()._repr_png_().startswith(b"\x89PNG")  # which a notebook shows
    with pytest.raises(mb.UsageError, match="no 'lorenz' to draw; it has policy, value"):
        growth.figure("lorenz")


def test_of_a_paper(results: tuple[Path, pd.DataFrame]) -> None:
    figure = mb.figure("aldrich_2014/figure_4_hides", results=results[0])
    drawn = [line for axes in figure.axes for line in axes.lines if len(line.get_xdata())]
    assert drawn and figure.axes[0].get_yscale() == "log"
    with pytest.raises(mb.UsageError, match="no figure .*there are .*aldrich_2014_figure_3"):
        mb.figure("aldrich_2014/figure_9", results=results[0])
