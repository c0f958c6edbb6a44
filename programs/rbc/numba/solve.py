"""The RBC model by value function iteration: the loops of C++, compiled by Numba at the first solution."""

import platform

import numba
import numpy as np
from numba import njit, prange

from macrobench_program import numbers_of, serve, write_numbers


def load(folder):
    problem = numbers_of(folder)
    for name in ("K", "Z", "P", "V0"):
        problem[name] = np.load(f"{folder}/{name}.npy").astype(real)
    return problem


@njit
def utility(consumption, gamma):
    if gamma == 1:
        return np.log(consumption)
    return consumption ** (1 - gamma) / (1 - gamma)


@njit(parallel=True, nogil=True)
def iterate(expected, available, last, K, beta, gamma, howard, maximise, V, policy):
    """One pass over all states; the largest change is the caller's to find."""
    nz, nk = available.shape
    for state in prange(nz * nk):
        j, i = state // nk, state % nk
        if not maximise:
            kept = policy[j, i]
            V[j, i] = utility(available[j, i] - K[kept], gamma) + beta * expected[j, kept]
            continue
        low, high = 0, last[j, i]
        if not howard:
            # Heer and Maussner (2005, p. 26): bisect until three choices are left.
            while high - low > 2:
                middle = (low + high) // 2
                right = utility(available[j, i] - K[middle + 1], gamma) + beta * expected[j, middle + 1]
                left = utility(available[j, i] - K[middle], gamma) + beta * expected[j, middle]
                if right > left:
                    low = middle
                else:
                    high = middle + 1
        best = low
        most = utility(available[j, i] - K[low], gamma) + beta * expected[j, low]
        for choice in range(low + 1, high + 1):
            its = utility(available[j, i] - K[choice], gamma) + beta * expected[j, choice]
            if its > most:
                best, most = choice, its
        V[j, i] = most
        policy[j, i] = best


@njit(parallel=True, nogil=True)
def walk(expected, available, K, beta, gamma, V, policy):
    """Upwards from the choice at the capital below, until a choice is no better than the one before it.

    Each choice depends on the one before it, so the threads share the productivities.
    """
    nz, nk = available.shape
    for j in prange(nz):
        best = 0
        for i in range(nk):
            resources = available[j, i]
            most = utility(resources - K[best], gamma) + beta * expected[j, best]
            for choice in range(best + 1, nk):
                if K[choice] > resources:
                    break
                its = utility(resources - K[choice], gamma) + beta * expected[j, choice]
                if its <= most:
                    break
                best, most = choice, its
            V[j, i] = most
            policy[j, i] = best


def solve(problem):
    K, Z, P = problem["K"], problem["Z"], problem["P"]
    beta, gamma, alpha, delta = (real(problem[name]) for name in ("beta", "gamma", "alpha", "delta"))
    howard = problem["maximizer"] == "grid_howard"
    walks = problem["maximizer"] == "first_decline"
    available = Z[:, None] * K**alpha + (real(1) - delta) * K
    last = np.searchsorted(K, available, side="right") - 1
    V0 = np.repeat(problem["V0"][:, None], len(K), axis=1)
    V = np.empty_like(V0)
    policy = np.zeros(V.shape, dtype=np.int64)
    iterations, difference = 0, np.inf
    while difference >= problem["tolerance"] and iterations < problem["iteration_cap"]:
        maximise = not howard or iterations < 3 or iterations % 20 == 0
        if walks:
            walk(P @ V0, available, K, beta, gamma, V, policy)
        else:
            iterate(P @ V0, available, last, K, beta, gamma, howard, maximise, V, policy)
        difference = np.abs(V - V0).max()
        V0, V = V, V0
        iterations += 1
    return {"V": V0, "policy": policy, "iterations": iterations, "difference": difference,
            "converged": difference < problem["tolerance"]}


def write(result, folder):
    np.save(f"{folder}/V.npy", result["V"])
    np.save(f"{folder}/policy.npy", result["policy"].astype(np.int32))
    write_numbers(folder, iterations=result["iterations"], difference=float(result["difference"]),
                  converged=int(result["converged"]))


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    return f"CPU, {numba.get_num_threads()} threads"


serve(lambda: f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
