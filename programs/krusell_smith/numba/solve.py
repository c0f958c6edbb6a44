"""Krusell and Smith's economy by policy, panel and regression in turn: loops, compiled at the first solution.

Threads meet after each period. They sleep until then (OMP_WAIT_POLICY in program.json): threads that spin lose a time
slice in every period in which another program has one of their cores.
"""

import platform

import numba
import numpy as np
from numba import njit, prange

from macrobench_program import numbers_of, serve, write_numbers

POINTS = 1024  # of a policy that are worth a thread
CHUNK = 512  # households whose wealth is summed by itself, so that threads do not change the sum
REAL = ("k_max", "theta", "beta", "gamma", "alpha", "delta", "lbar", "mu", "policy_tolerance", "damping")
ARRAYS = ("k", "K", "productivity", "L", "P", "a", "e", "wealth0", "law0", "policy0")


def load(folder):
    problem = numbers_of(folder)
    for name in REAL:
        problem[name] = float(problem[name])  # of one type whatever its value: a type is a compilation
    for name in ARRAYS:
        problem[name] = np.load(f"{folder}/{name}.npy")
    problem["is_spline"] = problem["policy_interpolation"] == "spline"
    return problem


def eliminate(x):
    """The equations of a not-a-knot spline's inner second derivatives, half solved: they depend on x alone."""
    h = np.diff(x)
    below, diagonal, above = h[:-1].copy(), 2 * (h[:-1] + h[1:]), h[1:].copy()
    # The third derivative goes on through the second point and through the last but one.
    diagonal[0] += h[0] * (1 + h[0] / h[1])
    above[0] -= h[0] * h[0] / h[1]
    diagonal[-1] += h[-1] * (1 + h[-1] / h[-2])
    below[-1] -= h[-1] * h[-1] / h[-2]
    for i in range(1, len(diagonal)):
        below[i] /= diagonal[i - 1]
        diagonal[i] -= below[i] * above[i - 1]
    return h, below, 1 / diagonal, above


@njit
def bend(equations, y, m):
    """The second derivatives m of the splines through y, one in each column."""
    h, below, inverse, above = equations
    last = len(h)
    for c in range(y.shape[1]):
        slope = (y[1, c] - y[0, c]) / h[0]
        m[0, c] = 0
        for i in range(1, last):
            next_slope = (y[i + 1, c] - y[i, c]) / h[i]
            m[i, c] = 6 * (next_slope - slope) - (below[i - 1] * m[i - 1, c] if i > 1 else 0)
            slope = next_slope
        m[last - 1, c] *= inverse[-1]
        for i in range(last - 2, 0, -1):
            m[i, c] = (m[i, c] - above[i - 1] * m[i + 1, c]) * inverse[i - 1]
        m[0, c] = m[1, c] - h[0] / h[1] * (m[2, c] - m[1, c])
        m[last, c] = m[last - 1, c] + h[-1] / h[-2] * (m[last - 1, c] - m[last - 2, c])


@njit
def prices(p, a, K):
    """1 + r - delta, and the incomes of the unemployed and of the employed."""
    alpha, delta, lbar, mu, productivity, L = p
    labour = lbar * L[a]
    power = (K / labour) ** alpha
    w = (1 - alpha) * productivity[a] * power
    tau = mu * (1 - L[a]) / labour
    return 1 + alpha * productivity[a] * power * labour / K - delta, (mu * w, (1 - tau) * lbar * w)


@njit
def weights(x, i, at):
    """Of the values and the second derivatives at both ends of interval i."""
    h = x[i + 1] - x[i]
    right = (at - x[i]) / h
    left = 1 - right
    return left, right, (left * left - 1) * left * h * h / 6, (right * right - 1) * right * h * h / 6


@njit
def interval_of(x, at, i):
    """The interval of x that contains `at`, sought from i on."""
    while i > 0 and at < x[i]:
        i -= 1
    while i < len(x) - 2 and at >= x[i + 1]:
        i += 1
    return i


@njit
def line_at(K, K_next, bends_in_K, policy, line):
    """The policy of each state at K_next, as four lines over k."""
    j = interval_of(K, K_next, 0)
    left, right, bend_left, bend_right = weights(K, j, K_next)
    line[:] = 0
    for node in range(len(K)):
        weight = left * (node == j) + right * (node == j + 1)
        weight += bend_left * bends_in_K[j, node] + bend_right * bends_in_K[j + 1, node]
        for s in range(4):
            for i in range(len(line)):
                line[i, s] += weight * policy[s, node, i]


@njit
def ask(p, beta, gamma, P, k, K, law, in_k, bends_in_K, is_spline, policy, asked, a, j):
    """What the Euler equation asks for at one (a, K), and how far the policy is from it at most."""
    R, income = prices(p, a, K[j])
    K_next = min(max(np.exp(law[a, 0] + law[a, 1] * np.log(K[j])), K[0]), K[-1])
    tomorrow = (prices(p, 0, K_next), prices(p, 1, K_next))
    line, m = np.empty((len(k), 4)), np.zeros((len(k), 4))
    line_at(K, K_next, bends_in_K, policy, line)
    if is_spline:
        bend(in_k, line, m)
    change, n = 0.0, 0
    for e in range(2):
        s = 2 * a + e
        for i in range(len(k)):
            chosen = policy[s, j, i]
            n = interval_of(k, chosen, n)
            left, right, bend_left, bend_right = weights(k, n, chosen)
            expected = 0.0
            for to in range(4):
                R_next, income_next = tomorrow[to // 2]
                k_then = left * line[n, to] + right * line[n + 1, to] + bend_left * m[n, to] + bend_right * m[n + 1, to]
                c = max(R_next * chosen + income_next[to % 2] - k_then, 1e-10)
                expected += P[s, to] * R_next * (1 / c if gamma == 1 else c**-gamma)
            expected *= beta
            c = 1 / expected if gamma == 1 else expected ** (-1 / gamma)
            asked[s, j, i] = min(max(R * k[i] + income[e] - c, 0), k[-1])
            change = max(change, abs(asked[s, j, i] - chosen))
    return change


@njit(parallel=True)
def ask_all(p, beta, gamma, P, k, K, law, in_k, bends_in_K, is_spline, policy, asked, changes):
    for pair in prange(len(changes)):
        changes[pair] = ask(p, beta, gamma, P, k, K, law, in_k, bends_in_K, is_spline, policy, asked,
                            pair // len(K), pair % len(K))


@njit
def find_policy(p, beta, gamma, P, k, K, law, in_k, bends_in_K, is_spline, tolerance, damping, cap, policy):
    """Iterates on the Euler equation until no k' moves; changes the policy, and returns the iterations."""
    asked, changes = np.empty_like(policy), np.empty(2 * len(K))
    for iteration in range(1, cap + 1):
        ask_all(p, beta, gamma, P, k, K, law, in_k, bends_in_K, is_spline, policy, asked, changes)
        for s in range(4):
            for j in range(len(K)):
                for i in range(len(k)):
                    policy[s, j, i] += damping * (asked[s, j, i] - policy[s, j, i])
        if changes.max() < tolerance:
            return iteration
    return cap + 1


@njit
def catmull_rom(x):
    """The weights of the four nodes around a point that is a share x beyond the second."""
    return (x * (-0.5 + x * (1 - 0.5 * x)), 1 + x * x * (-2.5 + 1.5 * x), x * (0.5 + x * (2 - 1.5 * x)),
            x * x * (-0.5 + 0.5 * x))


@njit
def save(line, k_max, theta, e, wealth):
    """A period of some households: their new wealth, its sum, and how many choices were clipped."""
    last, total, clips = line.shape[1] - 1, 0.0, 0
    for agent in range(len(wealth)):
        y = (wealth[agent] / k_max) ** (1 / theta) * last
        i = int(y)
        w = catmull_rom(y - i)
        own = line[e[agent]]
        chosen = (w[0] * own[max(i - 1, 0)] + w[1] * own[i] + w[2] * own[min(i + 1, last)]
                  + w[3] * own[min(i + 2, last)])
        wealth[agent] = min(max(chosen, 0), k_max)
        clips += wealth[agent] != chosen
        total += wealth[agent]
    return total, clips


@njit(parallel=True)
def save_all(line, k_max, theta, e, wealth, sums, clips):
    for chunk in prange(len(sums)):
        some = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        sums[chunk], clipped = save(line, k_max, theta, e[some], wealth[some])
        clips[chunk] += clipped


@njit
def simulate(policy, K_grid, k_max, theta, a, e, first, moves):
    """The path of K, wealth after all moves, and how many choices and means were clipped to the grids."""
    T, N = e.shape
    nk, nK = policy.shape[2], len(K_grid)
    wealth, K = first.copy(), np.empty(T)
    sums, clips_k, clips_K = np.zeros((N + CHUNK - 1) // CHUNK), np.zeros((N + CHUNK - 1) // CHUNK, np.int64), 0
    mean = first.mean()
    for t in range(T):
        K[t] = min(max(mean, K_grid[0]), K_grid[-1])
        clips_K += K[t] != mean
        if t == moves:
            break
        # K is common to all: the policy at K is a line over k for each employment state.
        x = (K[t] - K_grid[0]) / (K_grid[-1] - K_grid[0]) * (nK - 1)
        line, around = np.zeros((2, nk)), catmull_rom(x - int(x))
        for n in range(4):
            line += around[n] * policy[2 * a[t]:2 * a[t] + 2, min(max(int(x) + n - 1, 0), nK - 1)]
        save_all(line, k_max, theta, e[t], wealth, sums, clips_k)
        mean = sums.sum() / N
    return K, wealth, clips_k.sum(), clips_K


def regress(K, a, burn_in):
    """ln K' on ln K in the bad and in the good state: intercepts and slopes, and R^2."""
    law, R2 = np.empty((2, 2)), np.empty(2)
    now, following, state = np.log(K[burn_in:-1]), np.log(K[burn_in + 1:]), a[burn_in:-1]
    for s in range(2):
        x, y = now[state == s], following[state == s]
        dx, dy = x - x.mean(), y - y.mean()
        slope = dx @ dy / (dx @ dx)
        law[s] = y.mean() - slope * x.mean(), slope
        R2[s] = (dx @ dy) ** 2 / (dx @ dx * (dy @ dy))
    return law, R2


def solve(problem):
    p = tuple(problem[name] for name in ("alpha", "delta", "lbar", "mu", "productivity", "L"))
    law, policy, first = problem["law0"], problem["policy0"].copy(), problem["wealth0"]
    moves = len(problem["a"]) - (problem["moves"] == "all_but_last")
    threads = numba.config.NUMBA_NUM_THREADS
    in_k, bends_in_K = eliminate(problem["k"]), np.zeros((problem["nK"], problem["nK"]))
    if problem["is_spline"]:
        bend(eliminate(problem["K"]), np.eye(problem["nK"]), bends_in_K)
    iterations = []
    for outer in range(1, 2 * problem["outer_cap"] + 1):
        numba.set_num_threads(min(max(policy.size // POINTS, 1), threads))
        iterations.append(find_policy(p, problem["beta"], problem["gamma"], problem["P"], problem["k"], problem["K"],
                                      law, in_k, bends_in_K, problem["is_spline"], problem["policy_tolerance"],
                                      problem["damping"], problem["policy_cap"], policy))
        numba.set_num_threads(threads)
        K, last, clips_k, clips_K = simulate(policy, problem["K"], problem["k_max"], problem["theta"], problem["a"],
                                             problem["e"], first, moves)
        estimated, R2 = regress(K, problem["a"], problem["burn_in"])
        if outer <= 5:
            K_fifth = K
        distance = np.linalg.norm(estimated - law)
        converged = distance < problem["tolerance"] and iterations[-1] <= problem["policy_cap"]
        if converged or not np.isfinite(distance) or outer == 2 * problem["outer_cap"]:
            break
        if problem["reuse_tolerance"] < min(distance, 1):
            first = last
        law = law + problem["relaxation"] * (estimated - law)
    return {"law": law, "estimated": estimated, "R2": R2, "policy": policy, "K": K, "K_fifth": K_fifth,
            "first_wealth": first, "last_wealth": last}, {
                "outer_iterations": outer, "policy_iterations": sum(iterations),
                "first_policy_iterations": iterations[0], "clips_k": clips_k, "clips_K": clips_K,
                "converged": int(converged)}


def write(result, folder):
    arrays, numbers = result
    for name, array in arrays.items():
        np.save(f"{folder}/{name}.npy", array)
    write_numbers(folder, **numbers)


def start(options):
    return f"CPU, {numba.get_num_threads()} threads"


serve(lambda: f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
