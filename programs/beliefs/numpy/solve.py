"""Prices of a tree of histories on which two types agree: Newton's method at many nodes at once."""

import platform

import numpy as np

from macrobench_program import numbers_of, serve, write_numbers

AT_ONCE = 1 << 16  # nodes, whose arrays stay in a cache


def load(folder):
    problem = numbers_of(folder)
    for name in ("alpha", "P_1", "P_2", "histories"):
        problem[name] = np.load(f"{folder}/{name}.npy")
    return problem


def transitions(node, t, s0):
    """How often the histories of these nodes of period t move from high or low to high or low."""
    before = (node << 1 | s0) & ((1 << t) - 1)
    low, was_low, stays_low = (np.bitwise_count(bits).astype(float) for bits in (node, before, node & before))
    return np.stack([t - low - was_low + stays_low, low - stays_low, was_low - stays_low, stays_low], axis=1)


class Economy:
    """The terms of a node's equation are exponentials of sums over its history's transitions."""

    def __init__(self, problem):
        self.problem = problem
        self.log_growth = np.tile(problem["alpha"], 2)
        self.log_price = np.log(problem["beta_1"] * problem["P_1"]).ravel()
        self.log_relative = self.log_price - np.log(problem["beta_2"] * problem["P_2"]).ravel()

    def solve(self, moves, c1_0, c2_0):
        """c1, c2, q and C at the nodes whose histories have these transitions, and the steps taken."""
        numbers = ("mu_1", "mu_2", "gamma_1", "gamma_2", "C0", "newton_tolerance")
        mu_1, mu_2, gamma_1, gamma_2, C0, tolerance = (self.problem[name] for name in numbers)
        C = C0 * np.exp(moves @ self.log_growth)
        relative = np.exp(moves @ self.log_relative)

        def type_2_agrees(c1):
            m = (c1 / c1_0) ** -gamma_1
            return m, c2_0 * (relative * m) ** (-1 / gamma_2)

        c1 = c1_0 * C / C0
        moving = np.full(c1.shape, True)
        steps = 0
        for _ in range(self.problem["newton_cap"]):
            _, c2 = type_2_agrees(c1)
            step = (C - mu_1 * c1 - mu_2 * c2) / (mu_1 + mu_2 * gamma_1 / gamma_2 * c2 / c1)
            step = np.where(c1 + step <= 0, -c1 / 2, step)
            c1 = np.where(moving, c1 + step, c1)
            steps += np.count_nonzero(moving)
            moving &= np.abs(step) > tolerance * c1
            if not moving.any():
                break
        c1[moving] = np.nan
        m, c2 = type_2_agrees(c1)
        return c1, c2, np.exp(moves @ self.log_price) * m, C, steps

    def period(self, t, c1_0, c2_0):
        """The sums of q C and of q c2 over the nodes of period t, and the steps taken."""
        sums = np.zeros(3)
        for first in range(0, 1 << t, AT_ONCE):
            node = np.arange(first, min(first + AT_ONCE, 1 << t))
            _, c2, q, C, steps = self.solve(transitions(node, t, self.problem["s0"]), c1_0, c2_0)
            sums += (q * C).sum(), (q * c2).sum(), steps
        return sums


def solve(problem):
    economy, T, C0, mu_2 = Economy(problem), problem["T"], problem["C0"], problem["mu_2"]
    wealth, spending = np.empty(T + 1), np.empty(T + 1)
    low, high = 0, C0 / mu_2  # between which c2_0 is
    c2_0, last = problem["first_c2"] * C0, None
    result = {"passes": 0, "newton_iterations": 0, "converged": 0}
    while not result["converged"] and result["passes"] < problem["pass_cap"]:
        c1_0 = (C0 - mu_2 * c2_0) / problem["mu_1"]
        wealth[0], spending[0] = C0, c2_0
        for t in range(1, T + 1):
            wealth[t], spending[t], steps = economy.period(t, c1_0, c2_0)
            result["newton_iterations"] += int(steps)
        result |= {"passes": result["passes"] + 1, "c1_0": c1_0, "c2_0": c2_0}
        residual = wealth.sum() - spending.sum()
        result["converged"] = int(abs(residual) <= problem["broyden_tolerance"] * wealth.sum())

        # Broyden's method; at first as if type 2 spent in proportion to c2_0 everywhere.
        slope = (residual - last[1]) / (c2_0 - last[0]) if last else -spending.sum() / c2_0
        low, high = (c2_0, high) if residual > 0 else (low, c2_0)
        last = c2_0, residual
        c2_0 -= residual / slope
        if not low < c2_0 < high:
            c2_0 = (low + high) / 2
        if not np.isfinite(residual) or c2_0 == last[0]:
            break
    c1, c2, *_ = economy.solve(problem["histories"].reshape(-1, 4), result["c1_0"], result["c2_0"])
    return result | {"wealth": wealth, "spending": spending, "sampled": np.stack([c1, c2], axis=1),
                     "nodes": (2 << T) - 2}


def write(result, folder):
    for name in ("wealth", "spending", "sampled"):
        np.save(f"{folder}/{name}.npy", result[name])
    write_numbers(folder, **{name: result[name] for name in ("c1_0", "c2_0", "passes", "nodes", "newton_iterations",
                                                             "converged")})


def start(options):
    return f"CPU, {options['threads']} thread"


serve(lambda: f"Python {platform.python_version()}, NumPy {np.__version__}", start, load, solve, write)
