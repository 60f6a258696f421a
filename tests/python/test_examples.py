"""The learners of server/python/examples reach what docs/python.md says."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def learned(name, *needs):
    """The numbers that an example prints. It has a process of its own: JAX does not go with later forks."""
    for module in needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is missing")
    path = ROOT / "server" / "python" / "examples" / f"{name}.py"
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr
    return [float(it) for it in re.findall(r"\d+\.\d+", run.stdout)]


def test_ppo_comes_close_to_the_best_response():
    uniform, value, best = learned("ppo", "jax", "optax", "gymnasium")
    # The values of `percept solve --evaluate uniform`.
    assert (uniform, best) == (49.22, 84.19)
    assert 0.95 * best < value <= best


def test_nfsp_comes_close_to_an_equilibrium():
    uniform, value = learned("nfsp", "jax", "optax")
    # In the unit of Kuhn poker, 25 points, 0.458 and less than 0.1.
    assert uniform == 11.46 and 0 <= value < 2.5
