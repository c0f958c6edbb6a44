"""The RBC model by value function iteration in JAX: one compiled loop, all states at once."""

import platform
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from macrobench_program import numbers_of, serve, write_numbers


def load(folder):
    problem = numbers_of(folder)
    arrays = {name: np.load(f"{folder}/{name}.npy") for name in ("K", "Z", "P", "V0")}
    return problem, jax.device_put({name: array.astype(real) for name, array in arrays.items()})


def utility(consumption, gamma):
    return jnp.where(gamma == 1, jnp.log(consumption),
                     consumption ** (1 - gamma) / jnp.where(gamma == 1, 1, 1 - gamma))


def binary_search(value, last, steps):
    """Bisects until three choices are left (Heer and Maussner 2005, p. 26); ties go low."""

    def halve(_, bounds):
        low, high = bounds
        wide = high - low > 2
        middle = (low + high) // 2
        rises = value(jnp.minimum(middle + 1, last)) > value(middle)
        return jnp.where(wide & rises, middle, low), jnp.where(wide & ~rises, middle + 1, high)

    low, high = lax.fori_loop(0, steps, halve, (jnp.zeros_like(last), last))
    best, most = low, value(low)
    for step in (1, 2):
        choice = jnp.minimum(low + step, high)
        its = value(choice)
        best = jnp.where(its > most, choice, best)
        most = jnp.maximum(its, most)
    return most, best


def grid_search(available, expected, K, beta, gamma):
    """Tries every choice, one row of states after the other."""

    def of_state(state):
        resources, its_expected = state
        consumption = resources - K
        feasible = consumption >= 0
        worth = jnp.where(feasible, utility(jnp.where(feasible, consumption, 1), gamma) + beta * its_expected,
                          -jnp.inf)
        best = jnp.argmax(worth)
        return worth[best], best.astype(jnp.int32)

    def of_row(row):
        resources, its_expected = row
        return lax.map(lambda one: of_state((one, its_expected)), resources, batch_size=256)

    return lax.map(of_row, (available, expected))


@partial(jax.jit, static_argnames="howard")
def iterate(arrays, numbers, howard):
    K, Z, P = arrays["K"], arrays["Z"], arrays["P"]
    beta, gamma, alpha, delta, tolerance, cap = numbers
    available = Z[:, None] * K**alpha + (1 - delta) * K
    last = (jnp.searchsorted(K, available, side="right") - 1).astype(jnp.int32)
    rows = jnp.arange(len(Z))[:, None]
    steps = max(1, (len(K) - 1).bit_length())

    def next_V(state):
        V0, policy, iterations, _ = state
        expected = jnp.matmul(P, V0, precision="highest")

        def value(choice):
            return utility(available - K[choice], gamma) + beta * expected[rows, choice]

        if howard:
            V, policy = lax.cond((iterations < 3) | (iterations % 20 == 0),
                                 lambda: grid_search(available, expected, K, beta, gamma),
                                 lambda: (value(policy), policy))
        else:
            V, policy = binary_search(value, last, steps)
        return V, policy, iterations + 1, jnp.abs(V - V0).max()

    def goes_on(state):
        return (state[3] >= tolerance) & (state[2] < cap)

    V0 = jnp.broadcast_to(arrays["V0"][:, None], available.shape)
    return lax.while_loop(goes_on, next_V, (V0, jnp.zeros_like(last), jnp.int32(0), jnp.asarray(jnp.inf, K.dtype)))


def solve(problem):
    numbers, arrays = problem
    scalars = [real(numbers[name]) for name in ("beta", "gamma", "alpha", "delta", "tolerance")]
    state = iterate(arrays, (*scalars, np.int32(numbers["iteration_cap"])),
                    numbers["maximizer"] == "grid_howard")
    # Without this, only the work's order would be given when the answer is.
    return jax.block_until_ready(state), numbers["tolerance"]


def write(result, folder):
    (V, policy, iterations, difference), tolerance = result
    np.save(f"{folder}/V.npy", V)
    np.save(f"{folder}/policy.npy", policy)
    write_numbers(folder, iterations=int(iterations), difference=float(difference),
                  converged=int(difference < tolerance))


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
