"""What a function returns for each model; programs/MODEL/README.md defines it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Result(NamedTuple):
    """arrays: in the order in which a function returns them. numbers: those that it may leave out, and their values.

    needed: numbers that it may not leave out, which only a dictionary can hold.
    """

    arrays: tuple[str, ...]
    numbers: Mapping[str, float]
    needed: tuple[str, ...] = ()


RESULTS: Mapping[str, Result] = {
    "rbc": Result(("V", "policy"), {"iterations": 1, "difference": 0, "converged": 1}),
    "lifecycle": Result(("V",), {}),
    "newton": Result(("argmax", "steps"), {}),
    "beliefs": Result(
        ("wealth", "spending", "sampled"),
        {"passes": 1, "nodes": 1, "newton_iterations": 1, "converged": 1},
        ("c1_0", "c2_0"),
    ),
    "krusell_smith": Result(
        ("law", "estimated", "R2", "policy", "K", "K_fifth", "first_wealth", "last_wealth"),
        {"outer_iterations": 1, "policy_iterations": 1, "first_policy_iterations": 1, "converged": 1},
    ),
}


def named(returned: Any, model: str) -> dict[str, Any]:
    """The results by name. Raises ValueError if they are not this model's, in a sentence."""
    result = RESULTS[model]
    expected = ", ".join([*result.arrays, *result.needed])
    if isinstance(returned, Mapping):
        values = dict(returned)
        if missing := [name for name in (*result.arrays, *result.needed) if name not in values]:
            raise ValueError(f"the function returned no {missing[0]}; a result of {model} has {expected}")
    elif result.needed:
        raise ValueError(f"the function returned no dictionary; a result of {model} is one, of {expected}")
    else:
        is_several = isinstance(returned, tuple) or (isinstance(returned, list) and len(result.arrays) > 1)
        given = tuple(returned) if is_several else (returned,)
        if returned is None or len(given) != len(result.arrays):
            count = "nothing" if returned is None else f"{len(given)} value{'s' if len(given) > 1 else ''}"
            raise ValueError(f"the function returned {count}; return {expected} in this order, or a dictionary")
        values = dict(zip(result.arrays, given, strict=True))
    return {**result.numbers, **values}
