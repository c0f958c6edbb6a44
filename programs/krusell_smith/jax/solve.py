"""Krusell and Smith's economy by policy, panel and regression in turn: three functions, compiled by XLA."""

import platform
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from macrobench_program import numbers_of, serve, write_numbers

ARRAYS = ("k", "K", "productivity", "L", "P", "a", "e", "wealth0", "law0", "policy0")
REAL = ("k_max", "theta", "beta", "gamma", "alpha", "delta", "lbar", "mu", "policy_tolerance", "damping")
WHOLE = ("policy_cap", "burn_in")


def load(folder):
    problem = numbers_of(folder)
    values = {name: float(problem[name]) for name in REAL} | {name: problem[name] for name in WHOLE}
    return problem, jax.device_put(values | {name: np.load(f"{folder}/{name}.npy") for name in ARRAYS})


def second_derivatives(x):
    """Of not-a-knot splines through values y at x, as a function of y, whose last axis is along x."""
    h = jnp.diff(x)
    # The equations of the inner points; the third derivative goes on through the second and the last but one.
    ends = jnp.zeros((len(x), len(x) - 2)).at[1:-1].set(jnp.eye(len(x) - 2))
    ends = ends.at[0, :2].set(jnp.array([1 + h[0] / h[1], -h[0] / h[1]]))
    ends = ends.at[-1, -2:].set(jnp.array([-h[-1] / h[-2], 1 + h[-1] / h[-2]]))
    row = jnp.arange(len(x) - 2)
    equations = jnp.zeros((len(x) - 2, len(x)))
    equations = equations.at[row, row].set(h[:-1]).at[row, row + 1].set(2 * (h[:-1] + h[1:])).at[row, row + 2].set(h[1:])
    solved = ends @ jnp.linalg.inv(equations @ ends)
    return lambda y: 6 * jnp.diff(jnp.diff(y) / h) @ solved.T


def weights(x, interval, at):
    """Of the values and the second derivatives at both ends of the interval."""
    h = x[interval + 1] - x[interval]
    right = (at - x[interval]) / h
    left = 1 - right
    return left, right, (left**2 - 1) * left * h**2 / 6, (right**2 - 1) * right * h**2 / 6


def prices(p, a, K):
    """1 + r - delta, and the incomes of the unemployed and of the employed."""
    labour = p["lbar"] * p["L"][a]
    power = (K / labour) ** p["alpha"]
    w = (1 - p["alpha"]) * p["productivity"][a] * power
    tau = p["mu"] * (1 - p["L"][a]) / labour
    R = 1 + p["alpha"] * p["productivity"][a] * power * labour / K - p["delta"]
    return R, jnp.stack([p["mu"] * w, (1 - tau) * p["lbar"] * w])


def position(p, k):
    """Among the points of the grid of k."""
    return (k / p["k_max"]) ** (1 / p["theta"]) * (len(p["k"]) - 1)


@partial(jax.jit, static_argnames="is_spline")
def find_policy(p, law, policy, is_spline):
    """Iterates on the Euler equation until no k' moves; the policy, and the iterations."""
    nk, nK = len(p["k"]), len(p["K"])
    bend_in_k, bend_in_K = (second_derivatives(x) if is_spline else jnp.zeros_like for x in (p["k"], p["K"]))
    states = jnp.arange(2)

    def marginal_utility(c):
        return jnp.where(p["gamma"] == 1, 1 / c, c ** -p["gamma"])

    def consumption_at(m):
        return jnp.where(p["gamma"] == 1, 1 / m, m ** (-1 / p["gamma"]))

    def in_state(a, K):
        """What is the same in all iterations at aggregate state a and capital K."""
        K_next = jnp.clip(jnp.exp(law[a, 0] + law[a, 1] * jnp.log(K)), p["K"][0], p["K"][-1])
        i = jnp.clip(jnp.searchsorted(p["K"], K_next, side="right") - 1, 0, nK - 2)
        left, right, bend_left, bend_right = weights(p["K"], i, K_next)
        unit = jnp.eye(nK)
        bends = bend_in_K(unit).T
        of_K = left * unit[i] + right * unit[i + 1] + bend_left * bends[i] + bend_right * bends[i + 1]
        R, income = prices(p, a, K)
        return {"of_K": of_K, "resources": R * p["k"] + income[:, None],
                "tomorrow": jax.vmap(lambda a_next: prices(p, a_next, K_next))(states),
                "chance": p["P"].reshape(2, 2, 4)[a]}

    def asked(its, chosen, policy):
        """What the equation asks for at one (a, K), shape 2 x nk, where `chosen` is the policy."""
        line = jnp.einsum("j,sji->si", its["of_K"], policy)  # of each state tomorrow at tomorrow's K
        m = bend_in_k(line)
        i = jnp.clip(position(p, chosen).astype(int), 0, nk - 2)
        left, right, bend_left, bend_right = weights(p["k"], i, chosen)
        k_then = left * line[:, i] + right * line[:, i + 1] + bend_left * m[:, i] + bend_right * m[:, i + 1]
        R, income = its["tomorrow"]
        R = jnp.repeat(R, 2)[:, None, None]
        c = jnp.maximum(R * chosen + income.reshape(4, 1, 1) - k_then, 1e-10)
        expected = p["beta"] * jnp.einsum("es,sei->ei", its["chance"], R * marginal_utility(c))
        return jnp.clip(its["resources"] - consumption_at(expected), 0, p["k_max"])

    def goes_on(state):
        _, change, iterations = state
        return (change >= p["policy_tolerance"]) & (iterations < p["policy_cap"])

    def iterate(state):
        policy, _, iterations = state
        chosen = policy.reshape(2, 2, nK, nk).swapaxes(1, 2)
        found = jax.vmap(jax.vmap(asked, (0, 0, None)), (0, 0, None))(fixed, chosen, policy)
        found = found.swapaxes(1, 2).reshape(policy.shape)
        return policy + p["damping"] * (found - policy), jnp.abs(found - policy).max(), iterations + 1

    fixed = jax.vmap(jax.vmap(in_state, (None, 0)), (0, None))(states, p["K"])
    policy, change, iterations = lax.while_loop(goes_on, iterate, (policy, jnp.inf, 0))
    return policy, jnp.where(change < p["policy_tolerance"], iterations, p["policy_cap"] + 1)


def catmull_rom(x):
    """The weights of the four nodes around a point that is a share x beyond the second."""
    return jnp.stack([x * (-0.5 + x * (1 - 0.5 * x)), 1 + x * x * (-2.5 + 1.5 * x), x * (0.5 + x * (2 - 1.5 * x)),
                      x * x * (-0.5 + 0.5 * x)])


@partial(jax.jit, static_argnames="moves")
def simulate(p, policy, first, moves):
    """The path of K, wealth after all moves, and how many choices and means were clipped to the grids."""
    nk, nK, around = len(p["k"]), len(p["K"]), jnp.arange(-1, 3)

    def mean_of(wealth):
        mean = wealth.mean()
        K = jnp.clip(mean, p["K"][0], p["K"][-1])
        return K, K != mean

    def period(state, shocks):
        wealth, clips_k, clips_K = state
        a, e = shocks
        K, is_clipped = mean_of(wealth)
        # K is common to all: the policy at K is a line over k for each employment state.
        x = (K - p["K"][0]) / (p["K"][-1] - p["K"][0]) * (nK - 1)
        j = jnp.clip(x.astype(int) + around, 0, nK - 1)
        line = jnp.einsum("j,eji->ei", catmull_rom(x % 1), policy.reshape(2, 2, nK, nk)[a][:, j])
        y = position(p, wealth)
        i = jnp.clip(y.astype(int) + around[:, None], 0, nk - 1)
        chosen = (catmull_rom(y % 1) * line[e.astype(int), i]).sum(axis=0)
        wealth = jnp.clip(chosen, 0, p["k_max"])
        return (wealth, clips_k + (wealth != chosen).sum(), clips_K + is_clipped), K

    (last, clips_k, clips_K), K = lax.scan(period, (first, 0, 0), (p["a"][:moves], p["e"][:moves]))
    if moves == len(p["a"]):
        return K, last, clips_k, clips_K
    K_last, is_clipped = mean_of(last)
    return jnp.append(K, K_last), last, clips_k, clips_K + is_clipped


@jax.jit
def regress(p, K):
    """ln K' on ln K in the bad and in the good state: rows of intercept and slope, and R^2."""
    x, y = jnp.log(K[:-1]), jnp.log(K[1:])

    def of_state(s):
        counts = (p["a"][:-1] == s) & (jnp.arange(len(x)) >= p["burn_in"])
        mean_x, mean_y = x.mean(where=counts), y.mean(where=counts)
        dx, dy = counts * (x - mean_x), counts * (y - mean_y)
        slope = dx @ dy / (dx @ dx)
        return jnp.stack([mean_y - slope * mean_x, slope]), (dx @ dy) ** 2 / (dx @ dx * (dy @ dy))

    return jax.vmap(of_state)(jnp.arange(2))


def solve(problem):
    numbers, p = problem
    moves = len(p["a"]) - (numbers["moves"] == "all_but_last")
    law, policy, first = p["law0"], p["policy0"], p["wealth0"]
    iterations = []
    for outer in range(1, 2 * numbers["outer_cap"] + 1):
        policy, its = find_policy(p, law, policy, numbers["policy_interpolation"] == "spline")
        iterations.append(int(its))
        K, last, clips_k, clips_K = simulate(p, policy, first, moves)
        estimated, R2 = regress(p, K)
        if outer <= 5:
            K_fifth = K
        distance = float(jnp.linalg.norm(estimated - law))
        converged = distance < numbers["tolerance"] and iterations[-1] <= numbers["policy_cap"]
        if converged or not np.isfinite(distance) or outer == 2 * numbers["outer_cap"]:
            break
        if numbers["reuse_tolerance"] < min(distance, 1):
            first = last
        law = law + numbers["relaxation"] * (estimated - law)
    # Without this, only the work's order would be given when the answer is.
    return jax.block_until_ready({"law": law, "estimated": estimated, "R2": R2, "policy": policy, "K": K,
                                  "K_fifth": K_fifth, "first_wealth": first, "last_wealth": last}), {
                                      "outer_iterations": outer, "policy_iterations": sum(iterations),
                                      "first_policy_iterations": iterations[0], "clips_k": int(clips_k),
                                      "clips_K": int(clips_K), "converged": int(converged)}


def write(result, folder):
    arrays, numbers = result
    for name, array in arrays.items():
        np.save(f"{folder}/{name}.npy", array)
    write_numbers(folder, **numbers)


def start(options):
    jax.config.update("jax_enable_x64", True)  # the law is sought to seven digits
    jax.config.update("jax_platforms", "cpu" if options["device"] == "cpu" else "cuda")
    device = jax.devices()[0]
    jax.device_put(np.zeros(1), device).block_until_ready()
    return f"{device.device_kind}"


serve(lambda: f"Python {platform.python_version()}, JAX {jax.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
