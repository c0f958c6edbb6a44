"""Savings over a life, from the last age to the first: loops, compiled by Numba at the first solution."""

import platform

import numba
import numpy as np
from numba import njit, prange

from macrobench_program import numbers_of, serve


def load(folder):
    problem = numbers_of(folder)
    for name in ("x", "P", "available"):
        problem[name] = np.load(f"{folder}/{name}.npy").astype(real)
    return problem


@njit
def utility(consumption, sigma):
    if sigma == 1:
        return np.log(consumption)
    return consumption ** (1 - sigma) / (1 - sigma)


@njit(parallel=True)
def find_values(available, x, expected, sigma, V):
    ne, nx = available.shape
    for state in prange(ne * nx):
        shock, savings = state // nx, state % nx
        best = -np.inf
        for choice in range(nx):
            consumption = available[shock, savings] - x[choice]
            if consumption <= 0:
                break  # savings rise, and what is left to consume falls
            best = max(best, utility(consumption, sigma) + expected[shock, choice])
        V[shock, savings] = best


@njit(parallel=True)
def find_values_per_choice(available, x, P, next_V, beta, sigma, is_last, V):
    """The loops of Fernandez-Villaverde and Zarruk (2018): each state adds up the expectations of all choices."""
    ne, nx = available.shape
    for state in prange(ne * nx):
        shock, savings = state // nx, state % nx
        best = -np.inf
        for choice in range(nx):
            expected = 0.0
            if not is_last:
                for after in range(ne):
                    expected += P[shock, after] * next_V[after, choice]
            consumption = available[shock, savings] - x[choice]
            if consumption > 0:
                best = max(best, utility(consumption, sigma) + beta * expected)
        V[shock, savings] = best


def solve(problem):
    x, P, available = problem["x"], problem["P"], problem["available"]
    beta, sigma, T = real(problem["beta"]), real(problem["sigma"]), problem["T"]
    V = np.empty((T, *available.shape), dtype=real)
    for age in reversed(range(T)):
        is_last = age + 1 == T
        next_V = np.zeros_like(available) if is_last else V[age + 1]
        if problem["expectation"] == "per_choice":
            find_values_per_choice(available, x, P, next_V, beta, sigma, is_last, V[age])
        else:
            find_values(available, x, beta * (P @ next_V), sigma, V[age])
    return V


def write(V, folder):
    np.save(f"{folder}/V.npy", V)


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    return f"CPU, {numba.get_num_threads()} threads"


serve(lambda: f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
