"""Savings over a life, from the last age to the first: all choices of many states at once."""

import platform

import numpy as np

from macrobench_program import numbers_of, serve


def load(folder):
    problem = numbers_of(folder)
    for name in ("x", "P", "available"):
        problem[name] = np.load(f"{folder}/{name}.npy")
    return problem


def utility(consumption, sigma):
    if sigma == 1:
        return np.log(consumption)
    return consumption ** (1 - sigma) / (1 - sigma)


def solve(problem):
    x, P, available = problem["x"], problem["P"], problem["available"]
    beta, sigma, T = problem["beta"], problem["sigma"], problem["T"]
    V = np.empty((T, *available.shape), dtype=real)
    block = max(1, 2**16 // len(x))  # states at a time, whose choices fit the processor's cache
    for age in reversed(range(T)):
        expected = beta * (P @ V[age + 1]) if age + 1 < T else np.zeros_like(available)
        for shock, resources in enumerate(available):
            for begin in range(0, len(x), block):
                consumption = resources[begin : begin + block, None] - x
                feasible = consumption > 0
                worth = utility(np.where(feasible, consumption, 1), sigma) + expected[shock]
                worth[~feasible] = -np.inf
                V[age, shock, begin : begin + block] = worth.max(axis=1)
    return V


def write(V, folder):
    np.save(f"{folder}/V.npy", V)


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    return f"CPU, {options['threads']} thread"


serve(lambda: f"Python {platform.python_version()}, NumPy {np.__version__}", start, load, solve, write)
