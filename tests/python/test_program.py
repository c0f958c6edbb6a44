"""mb.program and mb.check: a user's function, timed and certified."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import growth
import macrobench as mb
import numpy as np
import pytest
from macrobench import _program


def test_a_right_one() -> None:
    found = mb.check(growth.right, nk=256)
    assert found and found.right and found.why is None
    assert found.rows[0]["solver"].startswith("yours")
    assert all(row["seconds"] > 0 for row in found.rows)
    assert any("published" in row["solver"] for row in found.rows)
    assert str(found).startswith("right") and "yours" in found._repr_html_()


def test_it_can_still_be_called() -> None:
    s = mb.solve("rbc", nk=64)
    problem = type("Problem", (), {**s.parameters, **s.grids, "V0": np.zeros(4)})
    V, _ = growth.right(problem)
    assert np.abs(V - s.V).max() < 1e-4
    assert growth.right.__name__ == "right" and growth.right.__doc__


def test_beside_ours() -> None:
    rows = mb.run("rbc", [growth.right, "frontier"], nk=[128, 256])
    assert set(rows.implementation) == {"right", "frontier"} and set(rows.status) <= {"measured", "noisy"}
    assert (rows.seconds > 0).all()


@pytest.mark.parametrize(
    "name, why",
    [
        ("wrong", "residual .* where 1.60e-10 is allowed"),
        ("misshapen", r"V.npy has the shape \(32, 4\), but \(4, 32\) is required"),
        ("not_a_number", "V"),
        ("nothing", "the function returned nothing"),
        ("one_value", "the function returned 1 value; return V, policy"),
        ("raises", "RuntimeError: the grid has no end"),
        ("dies", "my last words|exit code 3"),
        ("hangs", "2s|2 s|deadline|took"),
        ("a_list", "inhomogeneous|array"),
    ],
)
def test_a_wrong_one_is_one_sentence(name: str, why: str) -> None:
    found = mb.check(getattr(growth, name), deadline="2s")
    assert not found and found.why is not None and "\n" not in found.why
    assert re.search(why, found.why), found.why


def test_what_it_prints_is_a_log() -> None:
    rows = mb.run("rbc", growth.prints, nk=64)
    assert list(rows.status) in (["measured"], ["noisy"]), rows.why[0]


def test_what_is_not_computed_yet_is_waited_for() -> None:
    rows = mb.run("rbc", growth.lazy, nk=64)
    assert list(rows.status) in (["measured"], ["noisy"]), rows.why[0]
    assert rows.seconds[0] > 0.2


def test_typed_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = {"__name__": "__main__"}
    exec(compile(Path(growth.__file__).read_text(), "<cell 1>", "exec"), cells)
    rows = mb.run("rbc", cells["right"], nk=64)
    assert list(rows.status) in (["measured"], ["noisy"]), rows.why[0]
    monkeypatch.setattr(_program.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(mb.Error, match="pip install cloudpickle"):
        mb.run("rbc", cells["right"], nk=64)


SCRIPT = """
import macrobench as mb
from growth import right as r

@mb.program("rbc")
def of_a_script(problem):
    return r(problem)

{guard}
    print(mb.run("rbc", of_a_script, nk=64).T.to_string())
"""


def run_script(path: Path, text: str) -> str:
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, path],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.stdout


def test_in_a_script(tmp_path: Path) -> None:
    assert "rbc/of_a_script nk=64" in run_script(
        tmp_path / "guarded.py", SCRIPT.format(guard='if __name__ == "__main__":')
    )
    said = run_script(tmp_path / "unguarded.py", SCRIPT.format(guard="if True:"))
    assert "put that under: if __name__ == " in said


def marked(mark: bytes) -> list[Path]:
    """The processes whose environment has it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (process / "environ").read_bytes():
                found.append(process)
    return found


def test_ctrl_c_ends_the_children() -> None:
    code = "import macrobench as mb; mb.solve('krusell_smith/cpu')"
    mark = f"MARK={os.getpid()}_{time.monotonic_ns()}"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MARK": mark[5:], "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    deadline = time.monotonic() + 60
    while len(marked(mark.encode())) < 3 and time.monotonic() < deadline:  # Python, macrobench, the case's
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in said
    while marked(mark.encode()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not marked(mark.encode())


def test_a_model_that_there_is_not() -> None:
    with pytest.raises(mb.UsageError, match="rbc, lifecycle"):
        mb.program("rcb")


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    assert jax
    import growth_jax

    found = mb.check(growth_jax.with_jax, nk=256)
    assert found, found.why
