"""The highest points of many parabolas: Newton's method for one of them, vectorised by vmap."""

import platform
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from macrobench_program import numbers_of, serve


@partial(jax.jit, static_argnames="n")
def maximize(n, a_low, spacing, b, x0, tolerance, cap):
    def max_poly(a):
        def goes_on(state):
            return (state[1] > tolerance) & (state[2] < cap)

        def step(state):
            x, _, steps = state
            moved = x - (2 * a * x + b) / (2 * a)
            return moved, jnp.abs(moved - x), steps + 1

        x, difference, steps = lax.while_loop(goes_on, step, (x0, tolerance + 1, jnp.int32(0)))
        return jnp.where(difference <= tolerance, x, jnp.nan), steps.astype(jnp.uint8)

    return jax.vmap(max_poly)((a_low + jnp.arange(n) * spacing).astype(x0.dtype))


def solve(problem):
    numbers = [real(problem[name]) for name in ("b", "x0", "tolerance")]
    ends = [np.float64(problem[name]) for name in ("a_low", "spacing")]
    # Without this, only the work's order would be given when the answer is.
    return jax.block_until_ready(maximize(problem["n"], *ends, *numbers, problem["iteration_cap"]))


def write(result, folder):
    argmax, steps = result
    np.save(f"{folder}/argmax.npy", argmax)
    np.save(f"{folder}/steps.npy", steps)


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    jax.config.update("jax_enable_x64", options["real"] == "double")
    jax.config.update("jax_platforms", "cpu" if options["device"] == "cpu" else "cuda")
    device = jax.devices()[0]
    jax.device_put(np.zeros(1, real), device).block_until_ready()
    return f"{device.device_kind}"


serve(lambda: f"Python {platform.python_version()}, JAX {jax.__version__}, NumPy {np.__version__}",
      start, numbers_of, solve, write)
