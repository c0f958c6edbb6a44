"""Savings over a life, from the last age to the first, in JAX: one compiled scan, all choices of an age at once."""

import platform
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from macrobench_program import numbers_of, serve


def load(folder):
    problem = numbers_of(folder)
    arrays = {name: np.load(f"{folder}/{name}.npy") for name in ("x", "P", "available")}
    return problem, jax.device_put({name: array.astype(real) for name, array in arrays.items()})


@partial(jax.jit, static_argnames=("T", "is_log"))
def solve_ages(arrays, beta, sigma, T, is_log):
    x, P, available = arrays["x"], arrays["P"], arrays["available"]

    def utility(consumption):
        return jnp.log(consumption) if is_log else consumption ** (1 - sigma) / (1 - sigma)

    def value(next_V, _):
        expected = beta * jnp.matmul(P, next_V, precision="highest")
        consumption = available[:, :, None] - x  # ne x nx x nx, of which XLA keeps no array
        feasible = consumption > 0
        worth = utility(jnp.where(feasible, consumption, 1)) + expected[:, None, :]
        V = jnp.where(feasible, worth, -jnp.inf).max(axis=2)
        return V, V

    # After the last age nothing is expected.
    _, V = lax.scan(value, jnp.zeros_like(available), length=T, reverse=True)
    return V


def solve(problem):
    numbers, arrays = problem
    V = solve_ages(arrays, real(numbers["beta"]), real(numbers["sigma"]), numbers["T"], numbers["sigma"] == 1)
    # Without this, only the work's order would be given when the answer is.
    return jax.block_until_ready(V)


def write(V, folder):
    np.save(f"{folder}/V.npy", V)


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    jax.config.update("jax_enable_x64", options["real"] == "double")
    jax.config.update("jax_platforms", "cpu" if options["device"] == "cpu" else "cuda")
    device = jax.devices()[0]
    jax.device_put(np.zeros(1, real), device).block_until_ready()
    return f"{device.device_kind}"


serve(lambda: f"Python {platform.python_version()}, JAX {jax.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
