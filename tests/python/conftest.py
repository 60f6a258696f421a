"""The folders of games, and the time limits of tests."""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def games() -> pathlib.Path:
    return ROOT / "games"


@pytest.fixture
def in_root(monkeypatch):
    monkeypatch.chdir(ROOT)
