"""Makes a program's virtual environment: environment.py FOLDER LOCKS MODULE...

Its packages are those of LOCKS/requirements.txt, or of requirements_gpu.txt where there is an NVIDIA GPU. Where the
package index cannot be reached, they are those that this Python has, if it has every MODULE.
"""

import importlib
import os
import shutil
import subprocess
import sys

folder, locks, *modules = sys.argv[1:]
lock = f"{locks}/requirements_gpu.txt"
if not (os.path.exists(lock) and shutil.which("nvidia-smi")):
    lock = f"{locks}/requirements.txt"


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


made = run(sys.executable, "-m", "venv", folder)
if made.returncode == 0:
    made = run(f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "2",
               "--require-hashes", "--requirement", lock)
if made.returncode == 0:
    sys.exit()
sys.stderr.write(made.stdout)
if "DO NOT MATCH THE HASHES" in made.stdout:
    sys.exit(1)
for module in modules:
    try:
        importlib.import_module(module)
    except ImportError:
        sys.exit(f"{lock} cannot be installed, and {sys.executable} has no {module}")
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(f"{folder}/bin")
# Not a link: an interpreter that is started by a link looks for its packages beside the link.
with open(f"{folder}/bin/python", "w") as file:
    file.write(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
os.chmod(f"{folder}/bin/python", 0o755)
