"""The program that is installed with the package."""

import importlib.metadata
import os
import subprocess
import sys

import pytest
from percept.__main__ import program

if not os.path.isabs(program()):
    pytest.skip("the wheel was built without the program", allow_module_level=True)


def test_it_is_the_program_of_this_version(games):
    said = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True).stdout
    assert said.split()[:2] == ["percept", importlib.metadata.version("percept")]
    kuhn = games / "kuhn-poker" / "kuhn-poker.kif"
    solved = subprocess.run([program(), "solve", kuhn], capture_output=True, text=True, check=True).stdout
    assert "875/18" in solved


def test_python_runs_it(games):
    asked = [sys.executable, "-m", "percept"]
    assert subprocess.run([*asked, "--version"], capture_output=True, check=True).stdout.startswith(b"percept ")
    # Status and output are those of the program.
    missing = subprocess.run([*asked, "check", games / "missing.kif"], capture_output=True, text=True, check=False)
    alone = subprocess.run([program(), "check", games / "missing.kif"], capture_output=True, text=True, check=False)
    assert missing.returncode == alone.returncode != 0 and missing.stderr == alone.stderr
