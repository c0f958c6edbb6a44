"""Savings over a life, from the last age to the first: a thread of a GPU for each state, compiled by Numba at the
first solution."""

import math
import platform

import numba
import numpy as np
from numba import cuda

from macrobench_program import numbers_of, serve

THREADS = 128  # in a block


def load(folder):
    problem = numbers_of(folder)
    for name in ("x", "P", "available"):
        problem[name] = cuda.to_device(np.load(f"{folder}/{name}.npy").astype(real))
    return problem


@cuda.jit(device=True)
def utility(consumption, power):
    if power == 0:
        return math.log(consumption)
    return consumption**power / power


@cuda.jit
def expect(P, next_V, beta, expected):
    """Beta times the expectation of each choice at each shock."""
    ne, nx = expected.shape
    shock, choice = divmod(cuda.grid(1), nx)
    if shock < ne:
        total = P[shock, 0] * next_V[0, choice]
        for after in range(1, ne):
            total += P[shock, after] * next_V[after, choice]
        expected[shock, choice] = beta * total


@cuda.jit
def find_values(available, x, expected, power, V):
    ne, nx = V.shape
    shock, savings = divmod(cuda.grid(1), nx)
    if shock < ne:
        best = -math.inf
        for choice in range(nx):
            consumption = available[shock, savings] - x[choice]
            if consumption <= 0:
                break  # savings rise, and what is left to consume falls
            best = max(best, utility(consumption, power) + expected[shock, choice])
        V[shock, savings] = best


@cuda.jit
def find_values_per_choice(available, x, P, next_V, beta, power, is_last, V):
    """The loops of Fernandez-Villaverde and Zarruk (2018): each state adds up the expectations of all choices."""
    ne, nx = V.shape
    shock, savings = divmod(cuda.grid(1), nx)
    if shock < ne:
        best = -math.inf
        for choice in range(nx):
            expected = 0.0
            if not is_last:
                for after in range(ne):
                    expected += P[shock, after] * next_V[after, choice]
            consumption = available[shock, savings] - x[choice]
            if consumption > 0:
                best = max(best, utility(consumption, power) + beta * expected)
        V[shock, savings] = best


def solve(problem):
    x, P, available = problem["x"], problem["P"], problem["available"]
    beta, power, T = real(problem["beta"]), real(1 - problem["sigma"]), problem["T"]
    ne, nx = available.shape
    blocks = math.ceil(ne * nx / THREADS)
    V = cuda.device_array((T, ne, nx), real)
    expected = cuda.device_array((ne, nx), real)
    nothing = cuda.to_device(np.zeros((ne, nx), real))
    for age in reversed(range(T)):
        is_last = age + 1 == T
        next_V = nothing if is_last else V[age + 1]
        if problem["expectation"] == "per_choice":
            find_values_per_choice[blocks, THREADS](available, x, P, next_V, beta, power, is_last, V[age])
        else:
            expect[blocks, THREADS](P, next_V, beta, expected)
            find_values[blocks, THREADS](available, x, expected, power, V[age])
    cuda.synchronize()  # without this, only the work's order would be given when the answer is
    return V


def write(V, folder):
    np.save(f"{folder}/V.npy", V.copy_to_host())


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    cuda.to_device(np.zeros(1, real))
    name = getattr(cuda.get_current_device(), "name", "Numba's simulator of a GPU")
    return name.decode() if isinstance(name, bytes) else name


serve(lambda: f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
