"""The process of a Program: python -m macrobench._serve FOLDER speaks macrobench-program/1."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._conversation import numbers_of, serve
from ._results import RESULTS, named


class Problem(Mapping[str, Any]):
    """A problem's numbers and arrays, as attributes and by name."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"the problem has no {name}; it has {', '.join(self.__dict__['_values'])}") from None

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def read_problem(folder: str, real: type[np.floating[Any]]) -> Problem:
    values = numbers_of(folder)
    for name in [name.removeprefix("shape_") for name in values if name.startswith("shape_")]:
        array = np.load(f"{folder}/{name}.npy")
        values[name] = array.astype(real) if array.dtype.kind == "f" else array
    return Problem(values)


def function_in(folder: Path, about: Mapping[str, Any]) -> Callable[[Problem], Any]:
    """The user's function; its module is imported."""
    if "pickle" in about:
        found = pickle.loads((folder / about["pickle"]).read_bytes())
    elif about["module"]:
        found = getattr(importlib.import_module(about["module"]), about["function"])
    else:  # of a script, which is no module of this name
        spec = importlib.util.spec_from_file_location("__macrobench_main__", about["file"])
        if spec is None or spec.loader is None:
            raise ImportError(f"{about['file']} is no module of Python")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        found = getattr(module, about["function"])
    function: Callable[[Problem], Any] = getattr(found, "function", found)  # of what mb.program decorated
    return function


def wait_for(value: Any) -> None:
    """Until a library that answers before it has computed has done so."""
    if hasattr(value, "block_until_ready"):  # JAX
        value.block_until_ready()
    elif hasattr(value, "__cuda_array_interface__"):
        library = type(value).__module__.split(".")[0]
        if library == "cupy":
            value.device.synchronize()
        elif library == "torch":
            importlib.import_module("torch").cuda.synchronize()
        elif library == "numba":
            importlib.import_module("numba.cuda").synchronize()


def on_host(value: Any) -> np.ndarray[Any, Any]:
    """As a NumPy array, from a GPU too."""
    if hasattr(value, "block_until_ready"):
        return np.asarray(value.copy())  # JAX keeps what it copied to the host: a second write would be shorter
    for method in ("copy_to_host", "get"):  # Numba's, CuPy's
        if hasattr(value, "__cuda_array_interface__") and hasattr(value, method):
            return np.asarray(getattr(value, method)())
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)  # of PyTorch


def write_result(values: Mapping[str, Any], folder: str, model: str) -> None:
    numbers = []
    for name, value in values.items():
        array = on_host(value)
        if array.dtype.kind not in "biufc":
            raise ValueError(f"{name} is no array of numbers")
        if name in RESULTS[model].arrays:
            np.save(f"{folder}/{name}.npy", array)
        elif array.size == 1:
            numbers.append(f"{name} {array.item():.17g}\n")
        else:
            raise ValueError(f"{name} has {array.size} values, where one number is meant")
    Path(folder, "result.txt").write_text("".join(numbers), encoding="utf-8")


def versions(libraries: list[str]) -> str:
    return ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {importlib.metadata.version(name)}" for name in libraries)]
    )


def main(folder: Path) -> None:
    about = json.loads((folder / "function.json").read_text(encoding="utf-8"))
    model: str = about["model"]
    function: Callable[[Problem], Any] = lambda problem: None  # noqa: E731
    real: type[np.floating[Any]] = np.float64

    def start(options: dict[str, str]) -> str:
        nonlocal function, real
        real = np.float64 if options["real"] == "double" else np.float32
        os.environ["JAX_ENABLE_X64"] = str(int(options["real"] == "double"))
        os.environ["JAX_PLATFORMS"] = "cuda" if options["device"] == "gpu" else "cpu"
        function = function_in(folder, about)
        return f"{options['device']}, {options['threads']} thread{'s' if options['threads'] != '1' else ''}"

    def solve(problem: Problem) -> dict[str, Any]:
        result = named(function(problem), model)
        for value in result.values():
            wait_for(value)
        return result

    serve(
        lambda: versions(about["libraries"]),
        start,
        lambda at: read_problem(at, real),
        solve,
        lambda result, at: write_result(result, at, model),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
