"""Solvers of the growth model as a user would write them: one that is right, and what goes wrong."""

import os
import sys
import time

import macrobench as mb
import numpy as np


def utility(consumption, gamma):
    return np.log(consumption) if gamma == 1 else consumption ** (1 - gamma) / (1 - gamma)


@mb.program("rbc", takes={"nk": [2, 4096]})
def right(problem):
    """Howard's policy improvement: the policy's value by a linear system's iteration, then every choice."""
    K, Z, P = problem.K, problem.Z, problem.P
    available = Z[:, None] * K**problem.alpha + (1 - problem.delta) * K
    consumption = available[:, :, None] - K
    flow = np.where(consumption > 0, utility(np.maximum(consumption, 1e-12), problem.gamma), -np.inf)
    V = np.repeat(problem.V0[:, None], len(K), axis=1)
    rows = np.arange(len(Z))[:, None]
    while True:
        worth = flow + problem.beta * (P @ V)[:, None, :]
        policy = worth.argmax(axis=2)
        improved = worth.max(axis=2)
        moved = np.abs(improved - V).max()
        V = improved
        if moved < problem.tolerance:
            return V, policy
        flow_of_policy = np.take_along_axis(flow, policy[:, :, None], axis=2)[:, :, 0]
        for _ in range(20):
            V = flow_of_policy + problem.beta * (P @ V)[rows, policy]


@mb.program("rbc")
def wrong(problem):
    V, policy = right(problem)
    return V + 1, policy


@mb.program("rbc")
def misshapen(problem):
    V, policy = right(problem)
    return V.T, policy.T


@mb.program("rbc")
def not_a_number(problem):
    V, policy = right(problem)
    V[0, 3] = np.nan
    return V, policy


@mb.program("rbc")
def one_value(problem):
    return right(problem)[0]


@mb.program("rbc")
def nothing(problem):
    right(problem)


@mb.program("rbc")
def raises(problem):
    raise RuntimeError("the grid has no end")


@mb.program("rbc")
def dies(problem):
    print("my last words", file=sys.stderr, flush=True)
    os._exit(3)


@mb.program("rbc")
def hangs(problem):
    time.sleep(1000)


@mb.program("rbc", takes={"nk": [2, 4096]})
def prints(problem):
    print("mb1 solve 12345678")
    print("iteration 1 ...")
    return right(problem)


@mb.program("rbc")
def a_list(problem):
    return [[1.0], [2.0, 3.0]], [1]


class Lazy:
    """As an array of JAX: there before it is computed."""

    def __init__(self, values):
        self.values, self.is_there = values, False

    def block_until_ready(self):
        time.sleep(0.2)
        self.is_there = True

    def copy(self):
        return self

    def __array__(self, dtype=None, copy=None):
        return self.values if self.is_there else np.zeros_like(self.values)


@mb.program("rbc", takes={"nk": [2, 4096]})
def lazy(problem):
    V, policy = right(problem)
    return Lazy(V), policy


@mb.program("rbc", takes={"nk": [2, 4096]})
def serial(problem):
    return right(problem)


@mb.program("rbc", device="gpu", takes={"nk": [2, 4096]})
def on_a_gpu(problem):
    return right(problem)


@mb.program("rbc", takes={"nk": [2, 4096]})
def in_a_list(problem):
    return list(right(problem))


@mb.program("rbc", takes={"nk": [2, 4096]})
def words(problem):
    V, policy = right(problem)
    return {"V": V, "policy": policy, "method": "Howard's"}


def redefined(problem):
    return right(problem)


the_first = mb.program("rbc", name="the_first", takes={"nk": [2, 4096]})(redefined)


def redefined(problem):  # noqa: F811
    raise RuntimeError("the second")


@mb.program("beliefs")
def without_numbers(problem):
    return np.ones(problem.T + 1), np.ones(problem.T + 1), np.ones((256, 2))


@mb.program("newton")
def short(problem):
    """A solution of few numbers takes less than 20 pings."""
    a = problem.a_low + np.arange(problem.n) * problem.spacing
    x, difference = np.full(problem.n, float(problem.x0)), np.full(problem.n, np.inf)
    steps = np.zeros(problem.n, dtype=np.int32)
    for _ in range(problem.iteration_cap):
        moving = difference > problem.tolerance
        if not moving.any():
            break
        moved = x - (2 * a * x + problem.b) / (2 * a)
        difference = np.where(moving, np.abs(moved - x), difference)
        x = np.where(moving, moved, x)
        steps += moving
    return np.where(difference <= problem.tolerance, x, np.nan), steps
