"""The conversation of macrobench-program/1 for programs in Python: see docs/programs.md."""

import sys


def numbers_of(folder):
    """problem.txt as a dictionary; a shape is a tuple."""
    numbers = {}
    with open(f"{folder}/problem.txt") as lines:
        for line in lines:
            name, *words = line.split()
            values = [number(word) for word in words]
            numbers[name] = tuple(values) if name.startswith("shape_") else values[0]
    return numbers


def number(word):
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def write_numbers(folder, **values):
    with open(f"{folder}/result.txt", "w") as file:
        for name, value in values.items():
            file.write(f"{name} {value:.17g}\n")


def serve(versions, start, load, solve, write):
    """Answers until the end.

    versions()            words on the language and its libraries
    start(options)        options is a dictionary: device, threads, real; words on the device
    load(folder)          the problem, in whatever form solve takes
    solve(problem)        the result, complete: nothing of it is still being computed
    write(result, folder)
    """
    # What libraries print is a log, and goes where it does not look like an answer.
    answers, sys.stdout = sys.stdout, sys.stderr

    def answer(text):
        answers.write(f"mb1 {text}\n")
        answers.flush()

    problems, results = {}, {}
    for line in sys.stdin:
        command, *rest = line.rstrip("\n").split(" ", 2)
        try:
            if command == "hello":
                answer(f"hello {versions()}")
            elif command == "start":
                answer(f"start {start(dict(word.split('=', 1) for word in line.split()[1:]))}")
            elif command == "load":
                if results:  # of problems that were solved and written
                    problems, results = {}, {}
                problems[rest[0]] = load(rest[1])
                answer(f"load {rest[0]}")
            elif command == "ping":
                answer(f"ping {rest[0]}")
            elif command == "solve":
                ids = line.split()[1:]
                for id in ids:
                    results[id] = solve(problems[id])
                answer(f"solve {' '.join(ids)}")
            elif command == "write":
                write(results[rest[0]], rest[1])
                answer(f"write {rest[0]}")
            elif command == "bye":
                answer("bye")
                return
            else:
                answer(f"error unknown command {command}")
        except Exception as error:  # one that the caller is to hear of
            answer(f"error {type(error).__name__}: {' '.join(str(error).split())}")
