"""The RBC model by value function iteration: NumPy, and the loops in Cython, loops.pyx, compiled beforehand."""

import platform
from importlib.metadata import version

import loops
import numpy as np

from macrobench_program import numbers_of, serve, write_numbers


def load(folder):
    problem = numbers_of(folder)
    for name in ("K", "Z", "P", "V0"):
        problem[name] = np.load(f"{folder}/{name}.npy")
    return problem


def solve(problem):
    K, Z, P = problem["K"], problem["Z"], problem["P"]
    beta, gamma, alpha, delta = (problem[name] for name in ("beta", "gamma", "alpha", "delta"))
    howard = problem["maximizer"] == "grid_howard"
    walks = problem["maximizer"] == "first_decline"
    available = Z[:, None] * K**alpha + (1 - delta) * K
    last = np.searchsorted(K, available, side="right") - 1
    V0 = np.repeat(problem["V0"][:, None], len(K), axis=1)
    V = np.empty_like(V0)
    policy = np.zeros(V.shape, dtype=np.int32)
    iterations, difference = 0, np.inf
    while difference >= problem["tolerance"] and iterations < problem["iteration_cap"]:
        expected = beta * (P @ V0)
        if walks:
            loops.walk(expected, available, K, gamma, V, policy)
        elif not howard or iterations < 3 or iterations % 20 == 0:
            loops.search(expected, available, last, K, gamma, not howard, V, policy)
        else:
            loops.evaluate(expected, available, K, gamma, V, policy)
        difference = np.abs(V - V0).max()
        V0, V = V, V0
        iterations += 1
    return {"V": V0, "policy": policy, "iterations": iterations, "difference": difference,
            "converged": difference < problem["tolerance"]}


def write(result, folder):
    np.save(f"{folder}/V.npy", result["V"])
    np.save(f"{folder}/policy.npy", result["policy"])
    write_numbers(folder, iterations=result["iterations"], difference=float(result["difference"]),
                  converged=int(result["converged"]))


def versions():
    return f"Python {platform.python_version()}, Cython {version('cython')}, NumPy {np.__version__}"


serve(versions, lambda options: "CPU, 1 thread", load, solve, write)
