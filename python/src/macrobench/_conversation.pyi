from collections.abc import Callable
from typing import Any, TypeVar

Problem = TypeVar("Problem")
Result = TypeVar("Result")

def number(word: str) -> int | float | str: ...
def numbers_of(folder: str) -> dict[str, Any]: ...
def serve(
    versions: Callable[[], str],
    start: Callable[[dict[str, str]], str],
    load: Callable[[str], Problem],
    solve: Callable[[Problem], Result],
    write: Callable[[Result, str], None],
) -> None: ...
