"""The RBC model by value function iteration, in Python alone: the loops of the serial C++."""

import math
import platform
from array import array
from bisect import bisect_right

from macrobench_program import numbers_of, serve, write_numbers


def load(folder):
    problem = numbers_of(folder)
    for name in ("K", "Z", "P", "V0"):
        with open(f"{folder}/{name}.bin", "rb") as file:
            problem[name] = array("d", file.read()).tolist()
    return problem


def search(available, last, K, expected, utility, howard):
    """The best of all feasible choices, or by bisection."""
    values, policy = [], []
    for resources, high in zip(available, last):
        low = 0
        if not howard:
            # Heer and Maussner (2005, p. 26): bisect until three choices are left.
            while high - low > 2:
                middle = (low + high) // 2
                right = utility(resources - K[middle + 1]) + expected[middle + 1]
                if right > utility(resources - K[middle]) + expected[middle]:
                    low = middle
                else:
                    high = middle + 1
        best, most = low, utility(resources - K[low]) + expected[low]
        for choice in range(low + 1, high + 1):
            its = utility(resources - K[choice]) + expected[choice]
            if its > most:
                best, most = choice, its
        values.append(most)
        policy.append(best)
    return values, policy


def walk(available, K, expected, utility):
    """Upwards from the choice at the capital below, until a choice is no better than the one before it."""
    values, policy = [], []
    best = 0
    for resources in available:
        most = utility(resources - K[best]) + expected[best]
        for choice in range(best + 1, len(K)):
            consumption = resources - K[choice]
            if consumption <= 0:
                break
            its = utility(consumption) + expected[choice]
            if its <= most:
                break
            best, most = choice, its
        values.append(most)
        policy.append(best)
    return values, policy


def solve(problem):
    K, Z, P = problem["K"], problem["Z"], problem["P"]
    beta, gamma, alpha, delta = (problem[name] for name in ("beta", "gamma", "alpha", "delta"))
    nk, nz = problem["nk"], problem["nz"]
    howard = problem["maximizer"] == "grid_howard"
    walks = problem["maximizer"] == "first_decline"
    power = 1 - gamma
    utility = math.log if power == 0 else lambda consumption: consumption**power / power

    available = [[z * k**alpha + (1 - delta) * k for k in K] for z in Z]
    last = [[bisect_right(K, resources) - 1 for resources in row] for row in available]
    V0 = [[value] * nk for value in problem["V0"]]
    policy = [[0] * nk for _ in Z]
    iterations, difference = 0, math.inf
    while difference >= problem["tolerance"] and iterations < problem["iteration_cap"]:
        maximise = not howard or iterations < 3 or iterations % 20 == 0
        V = []
        difference = 0
        for j in range(nz):
            transition = P[j * nz : (j + 1) * nz]
            expected = [beta * sum(p * v for p, v in zip(transition, column)) for column in zip(*V0)]
            if walks:
                values, policy[j] = walk(available[j], K, expected, utility)
            elif maximise:
                values, policy[j] = search(available[j], last[j], K, expected, utility, howard)
            else:
                values = [utility(resources - K[kept]) + expected[kept]
                          for resources, kept in zip(available[j], policy[j])]
            difference = max(difference, max(abs(a - b) for a, b in zip(values, V0[j])))
            V.append(values)
        V0 = V
        iterations += 1
    return V0, policy, iterations, difference, difference < problem["tolerance"]


def write(result, folder):
    V, policy, iterations, difference, converged = result
    for name, kind, rows in (("V", "d", V), ("policy", "i", policy)):
        with open(f"{folder}/{name}.bin", "wb") as file:
            for row in rows:
                array(kind, row).tofile(file)
    write_numbers(folder, iterations=iterations, difference=difference, converged=int(converged))


serve(lambda: f"Python {platform.python_version()}", lambda options: "CPU, 1 thread", load, solve, write)
