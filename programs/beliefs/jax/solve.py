"""Prices of a tree of histories on which two types agree: Newton's method at one node, vectorised by vmap."""

import platform
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from macrobench_program import numbers_of, serve, write_numbers

AT_ONCE = 1 << 16  # nodes, a power of 2
REAL = ("mu_1", "mu_2", "gamma_1", "gamma_2", "beta_1", "beta_2", "C0", "newton_tolerance", "broyden_tolerance",
        "first_c2")
WHOLE = ("s0", "newton_cap", "pass_cap")
ARRAYS = ("alpha", "P_1", "P_2", "histories")


def load(folder):
    problem = numbers_of(folder)
    values = {name: float(problem[name]) for name in REAL} | {name: problem[name] for name in WHOLE}
    return problem["T"], jax.device_put(values | {name: np.load(f"{folder}/{name}.npy") for name in ARRAYS})


def transitions(node, t, s0):
    """How often the history of this node of period t moves from high or low to high or low."""
    before = (node << 1 | s0) & ((1 << t) - 1)
    low, was_low, stays_low = (lax.population_count(bits) for bits in (node, before, node & before))
    return jnp.array([t - low - was_low + stays_low, low - stays_low, was_low - stays_low, stays_low])


def solve_node(p, moves, c1_0, c2_0):
    """c1, c2, q and C at the node whose history has these transitions, and the steps taken."""
    log_price = jnp.log(p["beta_1"] * p["P_1"]).ravel()
    log_relative = log_price - jnp.log(p["beta_2"] * p["P_2"]).ravel()
    C = p["C0"] * jnp.exp(moves @ jnp.tile(p["alpha"], 2))
    relative = jnp.exp(moves @ log_relative)

    def type_2_agrees(c1):
        m = (c1 / c1_0) ** -p["gamma_1"]
        return m, c2_0 * (relative * m) ** (-1 / p["gamma_2"])

    def goes_on(state):
        c1, step, steps = state
        return (jnp.abs(step) > p["newton_tolerance"] * c1) & (steps < p["newton_cap"])

    def newton(state):
        c1, _, steps = state
        _, c2 = type_2_agrees(c1)
        step = ((C - p["mu_1"] * c1 - p["mu_2"] * c2) /
                (p["mu_1"] + p["mu_2"] * p["gamma_1"] / p["gamma_2"] * c2 / c1))
        step = jnp.where(c1 + step <= 0, -c1 / 2, step)
        return c1 + step, step, steps + 1

    c1, step, steps = lax.while_loop(goes_on, newton, (c1_0 * C / p["C0"], jnp.inf, 0))
    c1 = jnp.where(jnp.abs(step) <= p["newton_tolerance"] * c1, c1, jnp.nan)
    m, c2 = type_2_agrees(c1)
    return c1, c2, jnp.exp(moves @ log_price) * m, C, steps


def sums_of_tree(p, T, c1_0, c2_0):
    """The sums of q C and of q c2 over the nodes of each period but the first, and the steps taken.

    The nodes are numbered through, in binary: a one and then the history, so that period t begins at 2^t.
    """
    chunk = min(1 << T, AT_ONCE)

    def period_of(number):
        return 63 - lax.clz(number)

    def of_chunk(k):
        number = k * chunk + jnp.arange(chunk)
        is_node = number > 1  # 1 is s_0, and 0 nothing
        number = jnp.maximum(number, 2)
        t = period_of(number)
        moves = jax.vmap(transitions, (0, 0, None))(number - (1 << t), t, p["s0"])
        _, c2, q, C, steps = jax.vmap(solve_node, (None, 0, None, None))(p, moves, c1_0, c2_0)
        return t, jnp.where(is_node, jnp.stack([q * C, q * c2, steps.astype(float)]), 0)

    def add_chunk(k, sums):
        # All of its nodes are of one period.
        _, terms = of_chunk(k)
        return sums.at[:, period_of(k * chunk)].add(terms.sum(axis=1))

    t, terms = of_chunk(0)
    sums = jax.vmap(lambda of_nodes: jax.ops.segment_sum(of_nodes, t, T + 1))(terms)
    return lax.fori_loop(1, (2 << T) // chunk, add_chunk, sums)


@partial(jax.jit, static_argnames="T")
def find_equilibrium(p, T):
    C0, mu_1, mu_2 = p["C0"], p["mu_1"], p["mu_2"]

    def type_1(c2_0):
        return (C0 - mu_2 * c2_0) / mu_1

    def goes_on(state):
        return ~state["converged"] & state["moving"] & (state["passes"] < p["pass_cap"])

    def one_pass(state):
        c2_0 = state["next"]
        wealth, spending, steps = sums_of_tree(p, T, type_1(c2_0), c2_0)
        wealth, spending = wealth.at[0].set(C0), spending.at[0].set(c2_0)
        residual = wealth.sum() - spending.sum()

        # Broyden's method; at first as if type 2 spent in proportion to c2_0 everywhere.
        slope = jnp.where(state["passes"] == 0, -spending.sum() / c2_0,
                          (residual - state["residual"]) / (c2_0 - state["c2_0"]))
        low = jnp.where(residual > 0, c2_0, state["low"])
        high = jnp.where(residual > 0, state["high"], c2_0)
        following = c2_0 - residual / slope
        following = jnp.where((following > low) & (following < high), following, (low + high) / 2)
        return {"c2_0": c2_0, "next": following, "low": low, "high": high, "wealth": wealth, "spending": spending,
                "residual": residual, "passes": state["passes"] + 1,
                "newton_iterations": state["newton_iterations"] + steps.sum(),
                "converged": jnp.abs(residual) <= p["broyden_tolerance"] * wealth.sum(),
                "moving": jnp.isfinite(residual) & (following != c2_0)}

    first = {"c2_0": 0.0, "next": p["first_c2"] * C0, "low": 0.0, "high": C0 / mu_2, "wealth": jnp.zeros(T + 1),
             "spending": jnp.zeros(T + 1), "residual": 0.0, "passes": 0, "newton_iterations": 0.0, "converged": False,
             "moving": True}
    found = lax.while_loop(goes_on, one_pass, jax.tree.map(jnp.asarray, first))
    found["c1_0"] = type_1(found["c2_0"])
    c1, c2, *_ = jax.vmap(solve_node, (None, 0, None, None))(p, p["histories"].reshape(-1, 4), found["c1_0"],
                                                             found["c2_0"])
    return found | {"sampled": jnp.stack([c1, c2], axis=1), "nodes": (2 << T) - 2}


def solve(problem):
    T, p = problem
    # Without this, only the work's order would be given when the answer is.
    return jax.block_until_ready(find_equilibrium(p, T))


def write(result, folder):
    for name in ("wealth", "spending", "sampled"):
        np.save(f"{folder}/{name}.npy", result[name])
    write_numbers(folder, **{name: float(result[name]) for name in ("c1_0", "c2_0", "passes", "nodes",
                                                                    "newton_iterations", "converged")})


def start(options):
    jax.config.update("jax_enable_x64", True)  # the sums run over many nodes
    jax.config.update("jax_platforms", "cpu" if options["device"] == "cpu" else "cuda")
    device = jax.devices()[0]
    jax.device_put(np.zeros(1), device).block_until_ready()
    return f"{device.device_kind}"


serve(lambda: f"Python {platform.python_version()}, JAX {jax.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
