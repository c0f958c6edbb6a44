"""A user's solver in JAX: it answers before it has computed, and must be waited for."""

from functools import partial

import jax
import jax.numpy as jnp
import macrobench as mb


@partial(jax.jit, static_argnames="gamma")
def iterate(K, Z, P, V0, beta, gamma, alpha, delta, tolerance):
    available = Z[:, None] * K**alpha + (1 - delta) * K
    consumption = available[:, :, None] - K
    utility = jnp.log if gamma == 1 else lambda c: c ** (1 - gamma) / (1 - gamma)
    flow = jnp.where(consumption > 0, utility(jnp.maximum(consumption, 1e-12)), -jnp.inf)

    def step(state):
        V, _, _ = state
        worth = flow + beta * (P @ V)[:, None, :]
        improved = worth.max(axis=2)
        return improved, worth.argmax(axis=2), jnp.abs(improved - V).max()

    V = jnp.broadcast_to(V0[:, None], available.shape)
    state = (V, jnp.zeros(V.shape, int), jnp.inf)
    V, policy, _ = jax.lax.while_loop(lambda state: state[2] >= tolerance, step, state)
    return V, policy


@mb.program("rbc", takes={"nk": [2, 4096]})
def with_jax(problem):
    return iterate(
        problem.K,
        problem.Z,
        problem.P,
        problem.V0,
        problem.beta,
        problem.gamma,
        problem.alpha,
        problem.delta,
        problem.tolerance,
    )
