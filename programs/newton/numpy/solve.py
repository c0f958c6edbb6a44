"""The highest points of many parabolas by Newton's method, all of them at once."""

import platform

import numpy as np

from macrobench_program import numbers_of, serve


def solve(problem):
    n, b, tolerance = problem["n"], real(problem["b"]), real(problem["tolerance"])
    a = (problem["a_low"] + np.arange(n) * problem["spacing"]).astype(real)
    x = np.full(n, problem["x0"], dtype=real)
    difference = np.full(n, tolerance + 1, dtype=real)
    steps = np.zeros(n, dtype=np.uint8)
    for _ in range(problem["iteration_cap"]):
        moving = difference > tolerance
        if not moving.any():
            break
        moved = x - (2 * a * x + b) / (2 * a)
        difference = np.where(moving, np.abs(moved - x), difference)
        x = np.where(moving, moved, x)
        steps += moving
    return np.where(difference <= tolerance, x, real("nan")), steps


def write(result, folder):
    argmax, steps = result
    np.save(f"{folder}/argmax.npy", argmax)
    np.save(f"{folder}/steps.npy", steps)


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    return f"CPU, {options['threads']} thread"


serve(lambda: f"Python {platform.python_version()}, NumPy {np.__version__}", start, numbers_of, solve, write)
