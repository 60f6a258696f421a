"""Work on many machines, by Ray: proofs over a collection of games, and random matches.

Every task is told its seed and its numbers by the caller, so results are those of one machine, whoever computes them and
however often: a task whose node is lost is done again elsewhere, and its answer counts once. Games travel as their
texts; the machines need this package, not the files.

Call `ray.init(...)` first, as for anything else in Ray.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import percept
import ray

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")

RETRIES = 20
"""How many times a task may lose its node."""


def each(work: Callable[[_Item], _Answer], items: Iterable[_Item], *, cpus: float = 1) -> list[_Answer]:
    """Does `work` on every item, each a task of its own, and returns the answers in the order of the items.

    `work` must answer the same however often it is asked. What it raises is raised here.
    """

    @ray.remote(num_cpus=cpus, max_retries=RETRIES)
    def task(item: Any) -> Any:
        return work(item)

    return ray.get([task.remote(item) for item in items])


@dataclass(frozen=True)
class Proved:
    """The verdict on one property of one role in every match of a game; see `percept.Proof`."""

    game: str
    role: str
    property: str
    verdict: str
    method: str
    depth: int | None
    pair: tuple[list[list[str]], list[list[str]]] | None


@dataclass(frozen=True)
class Refused:
    """A description that is no game."""

    game: str
    why: str


def _prove(asked: tuple[str, percept.Game, dict[str, Any]]) -> list[Proved]:
    name, game, options = asked
    proofs = game.prove(**options)
    return [Proved(name, it.role, it.property, it.verdict, it.method, it.depth, it.pair) for it in proofs]


def prove(
    paths: Iterable[str | os.PathLike[str]],
    *,
    announce_end: bool = False,
    depth: int | None = None,
    time: float = 30.0,
) -> list[Proved | Refused]:
    """Proves every game of a collection, a task each: the answers in the order of `paths`, as `Game.prove` gives them.

    `time`: seconds for each question; a question that needs about as much may be answered on one machine and not on
    another.
    """
    answers: list[list[Proved | Refused] | None] = []
    asked = []
    options = {"announce_end": announce_end, "depth": depth, "time": time}
    for path in paths:
        name = os.fspath(path)
        try:
            asked.append((name, percept.load(path), options))
            answers.append(None)
        except percept.PerceptError as error:
            answers.append([Refused(name, str(error))])
    found = iter(each(_prove, asked))
    return [row for answer in answers for row in (next(found) if answer is None else answer)]


@dataclass(frozen=True)
class Played:
    """Random matches in the order of their numbers; see `percept.Matches`."""

    rounds: list[int]
    terminal: list[bool]
    goals: list[list[int]]


def play(
    game: percept.Game, n: int, *, seed: int = 0, max_rounds: int = 10_000, task: int = 100_000
) -> Played:
    """Plays `n` random matches, `task` of them at a time: the matches of `game.play(n, seed=seed)`."""
    held = ray.put(game)

    @ray.remote(num_cpus=1, max_retries=RETRIES)
    def part(game: percept.Game, first: int, count: int) -> tuple[list[int], list[bool], list[list[int]]]:
        matches = game.play(count, seed=seed, first=first, max_rounds=max_rounds, threads=1)
        return matches.rounds.tolist(), matches.terminal.tolist(), matches.goals.tolist()

    parts: Sequence[Any] = ray.get(
        [part.remote(held, first, min(task, n - first)) for first in range(0, n, task)]
    )
    rounds, terminal, goals = ([row for part in parts for row in part[at]] for at in range(3))
    return Played(list(rounds), list(terminal), list(goals))
