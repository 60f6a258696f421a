"""The learners of server/python/examples reach what docs/python.md says."""

import importlib.util
import pathlib

import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def example(name):
    about = importlib.util.spec_from_file_location(name, ROOT / "server" / "python" / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


def test_ppo_comes_close_to_the_best_response(in_root):
    pytest.importorskip("gymnasium")
    uniform, learned, best = example("ppo").main()
    # The values of `percept solve --evaluate uniform`.
    assert round(uniform, 4) == 49.2188 and round(best, 4) == 84.1853
    assert 0.95 * best < learned <= best + 1e-6


def test_nfsp_comes_close_to_an_equilibrium(in_root):
    uniform, learned = example("nfsp").main()
    # In the unit of Kuhn poker, 25 points, 0.458 and less than 0.1.
    assert round(uniform, 4) == 11.4583 and 0 <= learned < 2.5
