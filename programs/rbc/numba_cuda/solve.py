"""The RBC model by value function iteration: a thread of a GPU for each state, compiled by Numba at the first
solution."""

import math
import platform

import numba
import numpy as np
from numba import cuda, float64

from macrobench_program import numbers_of, serve, write_numbers

THREADS = 128  # in a block


def load(folder):
    problem = numbers_of(folder)
    for name in ("K", "Z", "P", "V0"):
        problem[name] = cuda.to_device(np.load(f"{folder}/{name}.npy").astype(real))
    return problem


@cuda.jit(device=True)
def utility(consumption, power):
    if power == 0:
        return math.log(consumption)
    return consumption**power / power


@cuda.jit
def prepare(K, Z, V_start, alpha, kept, available, last, V0):
    """What there is to spend, the highest capital that it buys, and V before the first iteration."""
    nz, nk = available.shape
    j, i = divmod(cuda.grid(1), nk)
    if j < nz:
        resources = Z[j] * K[i] ** alpha + kept * K[i]
        low, high = 0, nk
        while low < high:
            middle = (low + high) // 2
            if K[middle] <= resources:
                low = middle + 1
            else:
                high = middle
        available[j, i] = resources
        last[j, i] = low - 1
        V0[j, i] = V_start[j]


@cuda.jit
def expect(P, V0, beta, expected, difference):
    """Beta times the expectation of each choice. No change of this iteration is known yet."""
    nz, nk = expected.shape
    j, choice = divmod(cuda.grid(1), nk)
    if j < nz:
        total = P[j, 0] * V0[0, choice]
        for after in range(1, nz):
            total += P[j, after] * V0[after, choice]
        expected[j, choice] = beta * total
    if cuda.grid(1) == 0:
        difference[0] = 0


@cuda.jit(device=True)
def raise_to(change, difference):
    """Raises difference[0] to the largest change of the block. All its threads must come here."""
    changes = cuda.shared.array(THREADS, float64)
    mine = cuda.threadIdx.x
    changes[mine] = change
    half = THREADS // 2
    while half > 0:
        cuda.syncthreads()
        if mine < half:
            changes[mine] = max(changes[mine], changes[mine + half])
        half //= 2
    if mine == 0:
        cuda.atomic.max(difference, 0, changes[0])


@cuda.jit
def maximise(expected, available, last, K, power, bisects, V0, V, policy, difference):
    nz, nk = V.shape
    j, i = divmod(cuda.grid(1), nk)
    change = 0.0
    if j < nz:
        low, high = 0, last[j, i]
        if bisects:
            # Heer and Maussner (2005, p. 26): bisect until three choices are left.
            while high - low > 2:
                middle = (low + high) // 2
                right = utility(available[j, i] - K[middle + 1], power) + expected[j, middle + 1]
                left = utility(available[j, i] - K[middle], power) + expected[j, middle]
                if right > left:
                    low = middle
                else:
                    high = middle + 1
        best = low
        most = utility(available[j, i] - K[low], power) + expected[j, low]
        for choice in range(low + 1, high + 1):
            its = utility(available[j, i] - K[choice], power) + expected[j, choice]
            if its > most:
                best, most = choice, its
        V[j, i] = most
        policy[j, i] = best
        change = abs(most - V0[j, i])
    raise_to(change, difference)


@cuda.jit
def keep(expected, available, K, power, policy, V0, V, difference):
    """An iteration in which the policy stays."""
    nz, nk = V.shape
    j, i = divmod(cuda.grid(1), nk)
    change = 0.0
    if j < nz:
        kept = policy[j, i]
        V[j, i] = utility(available[j, i] - K[kept], power) + expected[j, kept]
        change = abs(V[j, i] - V0[j, i])
    raise_to(change, difference)


def solve(problem):
    K, Z, P = problem["K"], problem["Z"], problem["P"]
    beta, alpha, kept, power = (real(number) for number in (problem["beta"], problem["alpha"], 1 - problem["delta"],
                                                            1 - problem["gamma"]))
    howard = problem["maximizer"] == "grid_howard"
    shape = len(Z), len(K)
    blocks = math.ceil(len(Z) * len(K) / THREADS)
    available, expected, V0, V = (cuda.device_array(shape, real) for _ in range(4))
    last, policy = (cuda.device_array(shape, np.int32) for _ in range(2))
    largest = cuda.device_array(1, np.float64)
    prepare[blocks, THREADS](K, Z, problem["V0"], alpha, kept, available, last, V0)
    iterations, difference = 0, np.inf
    while difference >= problem["tolerance"] and iterations < problem["iteration_cap"]:
        expect[blocks, THREADS](P, V0, beta, expected, largest)
        if not howard or iterations < 3 or iterations % 20 == 0:
            maximise[blocks, THREADS](expected, available, last, K, power, not howard, V0, V, policy, largest)
        else:
            keep[blocks, THREADS](expected, available, K, power, policy, V0, V, largest)
        difference = largest.copy_to_host()[0]  # which waits for the device
        V0, V = V, V0
        iterations += 1
    return {"V": V0, "policy": policy, "iterations": iterations, "difference": difference,
            "converged": difference < problem["tolerance"]}


def write(result, folder):
    np.save(f"{folder}/V.npy", result["V"].copy_to_host())
    np.save(f"{folder}/policy.npy", result["policy"].copy_to_host())
    write_numbers(folder, iterations=result["iterations"], difference=float(result["difference"]),
                  converged=int(result["converged"]))


def start(options):
    global real
    real = np.float64 if options["real"] == "double" else np.float32
    cuda.to_device(np.zeros(1, real))
    name = getattr(cuda.get_current_device(), "name", "Numba's simulator of a GPU")
    return name.decode() if isinstance(name, bytes) else name


serve(lambda: f"Python {platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}",
      start, load, solve, write)
