# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# distutils: extra_compile_args = -O3
"""The loops of value function iteration, which solve.py calls. Arrays are nz x nk: capital runs fastest."""

from libc.math cimport log, pow


cdef inline double utility(double consumption, double gamma) noexcept nogil:
    if gamma == 1:
        return log(consumption)
    return pow(consumption, 1 - gamma) / (1 - gamma)


cdef inline double value(double resources, const double[::1] K, const double[:, ::1] expected,
                         double gamma, Py_ssize_t j, Py_ssize_t choice) noexcept nogil:
    return utility(resources - K[choice], gamma) + expected[j, choice]


def search(const double[:, ::1] expected, const double[:, ::1] available, const Py_ssize_t[:, ::1] last,
           const double[::1] K, double gamma, bint bisects, double[:, ::1] V, int[:, ::1] policy):
    """The best of all feasible choices, or by bisection."""
    cdef Py_ssize_t nz = available.shape[0], nk = available.shape[1]
    cdef Py_ssize_t j, i, low, high, middle, choice, best
    cdef double resources, most, its
    for j in range(nz):
        for i in range(nk):
            resources = available[j, i]
            low = 0
            high = last[j, i]
            # Heer and Maussner (2005, p. 26): bisect until three choices are left.
            while bisects and high - low > 2:
                middle = (low + high) // 2
                if (value(resources, K, expected, gamma, j, middle + 1)
                        > value(resources, K, expected, gamma, j, middle)):
                    low = middle
                else:
                    high = middle + 1
            best = low
            most = value(resources, K, expected, gamma, j, low)
            for choice in range(low + 1, high + 1):
                its = value(resources, K, expected, gamma, j, choice)
                if its > most:
                    best = choice
                    most = its
            V[j, i] = most
            policy[j, i] = <int>best


def walk(const double[:, ::1] expected, const double[:, ::1] available, const double[::1] K,
         double gamma, double[:, ::1] V, int[:, ::1] policy):
    """Upwards from the choice at the capital below, until a choice is no better than the one before it."""
    cdef Py_ssize_t nz = available.shape[0], nk = available.shape[1]
    cdef Py_ssize_t j, i, choice, best
    cdef double resources, most, its
    for j in range(nz):
        best = 0
        for i in range(nk):
            resources = available[j, i]
            most = value(resources, K, expected, gamma, j, best)
            for choice in range(best + 1, nk):
                if K[choice] > resources:
                    break
                its = value(resources, K, expected, gamma, j, choice)
                if its <= most:
                    break
                best = choice
                most = its
            V[j, i] = most
            policy[j, i] = <int>best


def evaluate(const double[:, ::1] expected, const double[:, ::1] available, const double[::1] K,
             double gamma, double[:, ::1] V, const int[:, ::1] policy):
    """With the policy that there is."""
    cdef Py_ssize_t nz = available.shape[0], nk = available.shape[1]
    cdef Py_ssize_t j, i
    for j in range(nz):
        for i in range(nk):
            V[j, i] = value(available[j, i], K, expected, gamma, j, policy[j, i])
