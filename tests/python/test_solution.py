"""mb.solve and mb.load: certified arrays."""

import threading
from pathlib import Path

import macrobench as mb
import numpy as np
import pytest


def test_growth(growth: mb.Solution) -> None:
    assert growth.V.shape == growth.policy.shape == (4, 256)
    assert growth.axes["V"] == ("Z", "K")
    assert growth.K.shape == (256,) and (np.diff(growth.K) > 0).all()
    assert growth.certificate.valid and growth.certificate.residual <= growth.certificate.allowed
    assert 0 < growth.seconds < 10
    assert growth.nk == 256


def test_the_arrays_solve_the_bellman_equation(growth: mb.Solution) -> None:
    K, Z, P, V = growth.K, growth.Z, growth.P, growth.V
    available = Z[:, None] * K**growth.alpha + (1 - growth.delta) * K
    consumption = available - K[growth.policy]
    flow = consumption ** (1 - growth.gamma) / (1 - growth.gamma)
    expected = np.take_along_axis(P @ V, growth.policy, axis=1)
    assert np.abs(flow + growth.beta * expected - V).max() < 2 * growth.certificate.allowed


def test_a_model_alone_is_our_best_way() -> None:
    assert mb.solve("newton", n=64).implementation == "serial"
    assert mb.solve("rbc", nk=64).implementation == "frontier"


def test_what_is_shown(growth: mb.Solution) -> None:
    assert "rbc/frontier" in repr(growth) and "V, policy" in repr(growth)
    assert "<td>4 x 256</td><td>Z, K</td>" in growth._repr_html_()
    with pytest.raises(AttributeError, match="has no consumption; it has .*V"):
        _ = growth.consumption
    assert "policy" in dir(growth)


def test_krusell_smith() -> None:
    s = mb.solve(
        "krusell_smith/cpu", N=1000, T=400, burn_in=100, nk=50, beta=0.985, K_min=20, K_max=45, deadline="120s"
    )
    assert s.law.shape == (4,) and s.K.shape == (400,)
    assert s.wealth.shape == (1000,) and s.wealth is s.last_wealth
    assert s.policy.shape[-1] == 50 and "K" in s.grids
    assert s.beta == 0.985


def test_own_grids_and_shocks(tmp_path: Path) -> None:
    K = np.linspace(5, 15, 100)
    assert (mb.solve("rbc/serial", capital=K, nk=100).K == K).all()
    rng = np.random.default_rng(1)
    s = mb.solve(
        "krusell_smith/cpu",
        N=500,
        T=300,
        nk=30,
        burn_in=50,
        shocks=rng.random((300, 500)) < 0.93,
        aggregate=rng.integers(0, 2, 300),
        wealth=rng.uniform(20, 40, 500),
    )
    assert s.shocks.startswith("shocks@") and s.certificate.valid
    with pytest.raises(mb.UsageError, match="capital: an array of numbers is needed"):
        mb.solve("rbc/serial", capital=["a", "b"], nk=2)
    with pytest.raises(mb.UsageError, match="transition: the rows of a matrix have one length"):
        mb.solve("rbc/serial", transition=[[1, 0], [1]])
    with pytest.raises(mb.UsageError, match="transition: .* this array has 3 axes"):
        mb.solve("rbc/serial", transition=np.ones((2, 2, 2)))


def test_a_folder_is_kept_and_read_again(tmp_path: Path, growth: mb.Solution) -> None:
    folder = tmp_path / "kept"
    s = mb.solve("rbc", nk=256, out=folder)
    again = mb.load(folder)
    assert (again.V == s.V).all() and (again.V == growth.V).all()
    assert again.seconds is None and again.certificate == s.certificate
    (folder / "solution.json").write_text("{}")
    with pytest.raises(mb.UsageError, match="something in the solution is missing"):
        mb.load(folder)
    with pytest.raises(mb.UsageError, match="there is no solution"):
        mb.load(tmp_path)


@pytest.mark.parametrize(
    "model, parameters, why",
    [
        ("rcb", {}, "rbc"),
        ("rbc/serail", {}, "serial"),
        ("rbc", {"nk": 1}, "nk"),
        ("rbc", {"nkk": 4}, "nk"),
        ("rbc", {"beta": 2}, "beta"),
        ("rbc", {"nk": 256, "deadline": "soon"}, "deadline"),
    ],
)
def test_a_mistake_is_one_sentence(model: str, parameters: dict[str, object], why: str) -> None:
    with pytest.raises(mb.UsageError, match=why) as raised:
        mb.solve(model, **parameters)
    assert "\n" not in str(raised.value) and not str(raised.value).startswith("macrobench:")


def test_an_answer_that_is_no_solution() -> None:
    with pytest.raises(mb.Error, match="printed no JSON, but: "):
        mb.solve("rbc", help=True)


def test_a_refused_result() -> None:
    with pytest.raises(mb.Invalid, match="not converged") as raised:
        mb.solve("rbc/serial", nk=64, iteration_cap=3)
    assert raised.value.record["status"] == "invalid"


def test_a_deadline() -> None:
    with pytest.raises(mb.Error, match="deadline of 1 s"):
        mb.solve("rbc/serial", nk=65536, deadline="1s")


def test_threads() -> None:
    found: list[mb.Solution] = []
    threads = [threading.Thread(target=lambda nk=nk: found.append(mb.solve("rbc", nk=nk))) for nk in (64, 96, 128)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(s.K) for s in found) == [64, 96, 128]
