"""Builds the wheel: scikit-build-core, with what tools/ knows about this machine."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from scikit_build_core import build as core
from scikit_build_core.build import *  # noqa: F403

TOOLS = Path(__file__).resolve().parent.parent / "tools"
# scikit-build-core brings the first three; the rest is for the tests and for speed.
NOT_NEEDED = {"cmake", "ninja-build", "make", "libgmock-dev", "librapidcheck-dev", "ccache", "python3"}


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")[:-1]


def get_requires_for_build_wheel(config_settings=None):
    missing = [name for name in output_of(TOOLS / "setup", "--missing") if name not in NOT_NEEDED]
    if missing:
        sys.exit(f"Building Macrobench needs {', '.join(missing)}, which tools/setup installs.")
    return core.get_requires_for_build_wheel(config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    has_nvcc = shutil.which("nvcc") or Path("/usr/local/cuda/bin/nvcc").exists()
    cuda = os.environ.get("CUDA", "auto") if has_nvcc else "off"
    arguments = output_of(TOOLS / "cmake_arguments", cuda, os.environ.get("CUDA_ARCHITECTURES", ""))
    os.environ["CMAKE_ARGS"] = shlex.join(arguments + shlex.split(os.environ.get("CMAKE_ARGS", "")))
    return core.build_wheel(wheel_directory, config_settings, metadata_directory)


def get_requires_for_build_sdist(config_settings=None):
    return build_sdist("")


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("Macrobench has no sdist, because its sources are above python/: tools/release packs them all.")
