"""The RBC model by value function iteration: every operation is on all states at once."""

import platform

import numpy as np

from macrobench_program import numbers_of, serve, write_numbers


def load(folder):
    problem = numbers_of(folder)
    for name in ("K", "Z", "P", "V0"):
        problem[name] = np.load(f"{folder}/{name}.npy").astype(real)
    return problem


def utility(consumption, gamma):
    if gamma == 1:
        return np.log(consumption)
    return consumption ** (1 - gamma) / (1 - gamma)


def binary_search(value, last):
    """Bisects until three choices are left (Heer and Maussner 2005, p. 26); ties go low."""
    low, high = np.zeros_like(last), last.copy()
    while (wide := high - low > 2).any():
        middle = (low + high) // 2
        rises = value(np.minimum(middle + 1, last)) > value(middle)
        low = np.where(wide & rises, middle, low)
        high = np.where(wide & ~rises, middle + 1, high)
    best, most = low, value(low)
    for step in (1, 2):
        choice = np.minimum(low + step, high)
        its = value(choice)
        best = np.where(its > most, choice, best)
        most = np.maximum(its, most)
    return most, best


def grid_search(available, expected, K, beta, gamma, last):
    """Tries every choice, for a block of states at a time that fits the processor's cache."""
    V, policy = np.empty_like(available), np.empty_like(last)
    block = max(1, 2**16 // len(K))
    for j in range(len(V)):
        for begin in range(0, len(K), block):
            rows = slice(begin, begin + block)
            choices = last[j, rows].max() + 1
            consumption = available[j, rows, None] - K[:choices]
            feasible = consumption > 0
            worth = utility(np.where(feasible, consumption, 1), gamma) + beta * expected[j, :choices]
            worth[~feasible] = -np.inf
            policy[j, rows] = worth.argmax(axis=1)
            V[j, rows] = worth.max(axis=1)
    return V, policy


def solve(problem):
    K, Z, P = problem["K"], problem["Z"], problem["P"]
    beta, gamma, alpha, delta = (real(problem[name]) for name in ("beta", "gamma", "alpha", "delta"))
    howard = problem["maximizer"] == "grid_howard"
    available = Z[:, None] * K**alpha + (1 - delta) * K  # nz x nk
    last = np.searchsorted(K, available, side="right") - 1
    rows = np.arange(len(Z))[:, None]
    V0 = np.repeat(problem["V0"][:, None], len(K), axis=1)
    policy = np.zeros_like(last)
    iterations, difference = 0, np.inf
    while difference >= problem["tolerance"] and iterations < problem["iteration_cap"]:
        expected = P @ V0

        def value(choice):
            return utility(available - K[choice], gamma) + beta * expected[rows, choice]

        if howard and not (iterations < 3 or iterations % 20 == 0):
            V = value(policy)
        elif howard:
            V, policy = grid_search(available, expected, K, beta, gamma, last)
        else:
            V, policy = binary_search(value, last)
        difference = np.abs(V - V0).max()
        V0 = V
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
    return f"CPU, {options['threads']} thread"


serve(lambda: f"Python {platform.python_version()}, NumPy {np.__version__}", start, load, solve, write)
