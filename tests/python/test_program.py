"""mb.program and mb.check: a user's function, timed and certified."""

import contextlib
import functools
import os
import re
import signal
import subprocess
import sys
import threading
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
        ("words", "method is no array of numbers"),
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


def test_ours_is_not_run_in_its_place() -> None:
    with pytest.raises(mb.UsageError, match="there is another rbc/serial; choose another name"):
        mb.run("rbc", growth.serial, nk=64)
    with pytest.raises(mb.UsageError, match="there is another rbc/serial"):
        mb.check(growth.serial)


def test_two_of_a_name() -> None:
    other = mb.program("rbc", name="right")(growth.redefined)
    with pytest.raises(mb.UsageError, match="there is another rbc/right"):
        mb.run("rbc", [growth.right, other], nk=64)
    rows = mb.run("rbc", [growth.right, growth.right], nk=64)
    assert len(rows) == 1


def test_a_later_function_of_its_name_is_not_run() -> None:
    rows = mb.run("rbc", growth.the_first, nk=64)
    assert list(rows.status) in (["measured"], ["noisy"]), rows.why[0]


def test_on_a_gpu_its_name_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mb.program("rbc", device=["cpu", "gpu"])(growth.redefined).names == ["redefined", "redefined_gpu"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    rows = mb.run("rbc", growth.on_a_gpu, nk=64)
    assert list(rows.implementation) == ["on_a_gpu_gpu"] and rows.seconds.isna().all()


def test_a_list_of_arrays_is_as_good_as_a_tuple() -> None:
    rows = mb.run("rbc", growth.in_a_list, nk=64)
    assert list(rows.status) in (["measured"], ["noisy"]), rows.why[0]


def test_numbers_that_are_needed() -> None:
    rows = mb.run("beliefs", growth.without_numbers, T=4)
    assert "no dictionary; a result of beliefs is one, of wealth, spending, sampled, c1_0, c2_0" in rows.why[0]


def test_short_solutions_are_timed_together() -> None:
    rows = mb.run("newton", growth.short, n=4)
    assert list(rows.status) in (["measured"], ["noisy"]), rows.why[0]


def test_in_a_module_of_a_package_that_is_run(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "helper.py").write_text("from growth import right\n")
    guard = 'if __name__ == "__main__":'
    script = SCRIPT.replace("from growth import right", "from .helper import right").format(guard=guard)
    (tmp_path / "package" / "mine.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-m", "package.mine"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert re.search(r"status +(measured|noisy)", done.stdout), done.stdout


@pytest.mark.parametrize(
    "options, why",
    [
        ({"name": "My solver"}, "'My solver': a name has small letters"),
        ({"real": "both"}, "real = 'both': it is 'double', 'single', or a list of both"),
        ({"device": ["cpu", "tpu"]}, "device = .*: it is 'cpu', 'gpu', or a list of both"),
    ],
)
def test_options_that_are_none(options: dict[str, object], why: str) -> None:
    with pytest.raises(mb.UsageError, match=why):
        mb.program("rbc", **options)


def test_one_case_is_checked() -> None:
    for several in ([64, 128], "64..128"):
        with pytest.raises(mb.UsageError, match="nk = 64.*128: one case is checked"):
            mb.check(growth.right, nk=several)


def test_what_cannot_be_sent() -> None:
    lock = threading.Lock()

    @mb.program("rbc")
    def locked(problem: object) -> None:
        lock.acquire()

    with pytest.raises(mb.UsageError, match="locked, .* uses what cannot be sent: cannot pickle"):
        mb.run("rbc", locked, nk=64)


def test_what_is_no_program() -> None:
    for ask in (mb.check, lambda one: mb.run("rbc", [one])):
        with pytest.raises(mb.UsageError, match="redefined is no program"):
            ask(growth.redefined)
    with pytest.raises(mb.UsageError, match="right solves rbc, and not lifecycle"):
        mb.run("lifecycle", growth.right)
    with pytest.raises(mb.UsageError, match="a function is needed, and not a partial"):
        mb.program("rbc")(functools.partial(growth.redefined))


def test_a_model_that_there_is_not() -> None:
    with pytest.raises(mb.UsageError, match="rbc, lifecycle"):
        mb.program("rcb")


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    assert jax
    import growth_jax

    found = mb.check(growth_jax.with_jax, nk=256)
    assert found, found.why
