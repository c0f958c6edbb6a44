"""Tests of the package macrobench, which asks the program of this build."""

import sys
from pathlib import Path

import macrobench as mb
import pandas as pd
import pytest

#: Where this and other tests find solvers of users.
SOLVERS = Path(__file__).parent / "solvers"
sys.path.append(str(SOLVERS))


@pytest.fixture(scope="session")
def growth() -> mb.Solution:
    return mb.solve("rbc", nk=256)


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pd.DataFrame]:
    """A folder of results with three cases of a table, and their rows."""
    folder = tmp_path_factory.mktemp("results")
    rows = mb.run("rbc", ["serial", "thrust_omp", "frontier"], nk=[128, 256], threads=1, results=folder)
    return folder, rows
