"""What goes wrong, as exceptions: each has the program's own sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Error(Exception):
    """The program could not do what was asked: a killed case, a full disk, a folder in use."""


class UsageError(Error, ValueError):
    """The request cannot be understood or met: an unknown model, a parameter out of its range."""


class Invalid(Error):
    """A result that its certificate refuses, so that it has no time and no solution.

    record: the case's record, with the residual and its bound where they were computed.
    """

    def __init__(self, why: str, record: Mapping[str, Any]) -> None:
        super().__init__(why)
        self.record = record


def needs(package: str, what: str) -> Error:
    """An optional package is missing."""
    return Error(f"{what} needs {package}: pip install {package}")
