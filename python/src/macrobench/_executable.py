"""The program macrobench, which does all the work, and how it is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ._errors import Error, UsageError

#: Names another program than the one that pip installed.
VARIABLE = "MACROBENCH_EXECUTABLE"
#: Set where a function of the user's is read for its child process, which must start nothing.
IN_CHILD = "MACROBENCH_IN_CHILD"

OK, USAGE, INVALID = 0, 2, 3


def executable() -> Path:
    """The path of the program: the environment's MACROBENCH_EXECUTABLE, or what pip installed beside this package.

    Raises Error if there is none.
    """
    if named := os.environ.get(VARIABLE):
        path = Path(named)
        if os.access(path, os.X_OK):
            return path
        raise Error(f"{VARIABLE}={named}: there is no such program")
    beside = Path(__file__).resolve().parents[1]  # by pip install --target
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"), beside / "bin"):
        path = Path(folder) / "macrobench"
        if os.access(path, os.X_OK):
            return path
    raise Error(
        f"the program macrobench is not where pip installs it: run pip install macrobench, or name it in {VARIABLE}"
    )


class Answer(NamedTuple):
    """What the program printed, and its exit code."""

    code: int
    text: str
    log: str

    @property
    def sentence(self) -> str:
        """The last line of the log, which says what is wrong."""
        lines = [line for line in self.log.splitlines() if line.strip()]
        return lines[-1].removeprefix("macrobench: ") if lines else f"macrobench ended with exit code {self.code}"

    def json(self) -> Any:
        """What was printed, from JSON. Raises the program's error if it printed nothing, Error if it is no JSON."""
        if not self.text.strip():
            raise self.error()
        try:
            return json.loads(self.text)
        except ValueError:
            raise Error(f"macrobench printed no JSON, but: {self.text.strip().splitlines()[0]}") from None

    def error(self) -> Error:
        return UsageError(self.sentence) if self.code == USAGE else Error(self.sentence)


def ask(words: Sequence[str]) -> Answer:
    """Runs the program, and waits. Raises Error if it cannot be started or was killed, UsageError if it refuses.

    Any other exit code is the caller's to judge. If the wait is interrupted (Ctrl-C), the program ends, and with it
    every process that it started.
    """
    if IN_CHILD in os.environ:
        raise UsageError(
            'the module of a program starts macrobench when it is imported; put that under: if __name__ == "__main__":'
        )
    command = [str(executable()), *words]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise Error(f"{command[0]} cannot be started: {error.strerror}") from None
    with process:
        try:
            text, log = process.communicate()
        except BaseException:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    answer = Answer(process.returncode, text, log)
    if answer.code < 0:
        raise Error(f"macrobench was killed by signal {-answer.code}")
    if answer.code == USAGE and not text.strip():
        raise answer.error()
    return answer


def about(model: str) -> dict[str, Any]:
    """What `macrobench list MODEL` says of a model. Raises UsageError if there is none of this name."""
    found: dict[str, Any] = ask(["list", model, "--json"]).json()
    return found


def option(name: str, value: object) -> list[str]:
    """--NAME VALUE: a bool is on or off, a list has commas, and a float keeps its bits."""
    return [f"--{name}", word(value)]


def word(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return str(Path(value))
    if isinstance(value, np.ndarray | np.generic):
        return word(value.tolist())
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Iterable):
        return ",".join(map(word, value))
    return repr(value)


def main() -> None:
    """python -m macrobench: the program in this one's place."""
    try:
        path = executable()
    except Error as error:
        sys.exit(f"macrobench: {error}")
    os.execv(path, [str(path), *sys.argv[1:]])
