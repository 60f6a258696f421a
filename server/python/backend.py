"""Builds the wheel with the program `percept` in it: `pip install` puts the program beside that of Python.

pip calls the functions of PEP 517. With a path, a program that is already built is taken over, for a build by maturin.
Usage: python backend.py PROGRAM        PERCEPT_PROFILE: the profile of cargo, by default `dist`
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "percept.exe" if os.name == "nt" else "percept"
PROFILE = os.environ.get("PERCEPT_PROFILE", "dist")


def take_over(program):
    """Puts the program where maturin looks for the files that are installed outside of the package."""
    scripts = HERE / "percept._percept.data" / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy2(program, scripts / NAME)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    import maturin

    subprocess.run(["cargo", "build", "--profile", PROFILE, "-p", "percept"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    take_over(target / ("debug" if PROFILE == "dev" else PROFILE) / NAME)
    os.environ.setdefault("MATURIN_PEP517_ARGS", f"--profile {PROFILE}")
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def __getattr__(name):
    """The other functions are those of maturin."""
    import maturin

    return getattr(maturin, name)


if __name__ == "__main__":
    take_over(sys.argv[1])
