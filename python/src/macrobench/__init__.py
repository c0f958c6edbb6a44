"""Macrobench in Python: the papers' solutions as arrays, their tables as data, and your solver beside theirs.

    import macrobench as mb
    s = mb.solve("rbc", nk=1024)           # certified, or mb.Invalid with the reason
    s.V, s.policy, s.K, s.seconds
    mb.run("rbc", ["serial", "frontier"], nk=[1024, 4096])
    mb.table("aldrich_2014/table_2")

The program macrobench does the work, in processes of its own; nothing here has a global state, and every function can
be called from several threads. What goes wrong is an mb.Error with the program's sentence.
"""

from ._errors import Error, Invalid, UsageError
from ._executable import executable
from ._figures import figure
from ._program import Check, Program, check, program
from ._records import records, run
from ._solution import Certificate, Solution, load, solve
from ._views import View, claims, compare, replicate, table

__all__ = [
    "Certificate",
    "Check",
    "Error",
    "Invalid",
    "Program",
    "Solution",
    "UsageError",
    "View",
    "check",
    "claims",
    "compare",
    "executable",
    "figure",
    "load",
    "program",
    "records",
    "replicate",
    "run",
    "solve",
    "table",
]
