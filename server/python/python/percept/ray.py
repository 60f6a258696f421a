"""Work on many machines, by Ray: tournaments, proofs over a collection of games, the paper's Table 1, random matches.

Every task is told its seed and its numbers by the caller, so results are those of one machine, whoever computes them and
however often: a task whose node is lost is done again elsewhere, and its answer counts once. Games travel as their
texts; the machines need this package, not the files. For tournaments and Table 1 they need the program `percept`, too.

Call `ray.init(...)` first, as for anything else in Ray.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
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
    """Random matches in the order of their numbers, in the form of `percept.Matches`."""

    rounds: memoryview
    terminal: memoryview
    goals: memoryview


def _joined(parts: Sequence[tuple[bytes, str]], *shape: int) -> memoryview:
    """One view of the bytes of all parts. Numbers in lists would cost more than the matches themselves."""
    whole = memoryview(b"".join(part for part, _ in parts))
    # There is no view of no bytes in several dimensions.
    return whole.cast(parts[0][1], shape) if len(whole) else whole  # type: ignore[call-overload]


def play(
    game: percept.Game, n: int, *, seed: int = 0, max_rounds: int = 10_000, task: int = 100_000
) -> Played:
    """Plays `n` random matches, `task` of them at a time: the matches of `game.play(n, seed=seed)`."""
    held = ray.put(game)

    @ray.remote(num_cpus=1, max_retries=RETRIES)
    def part(game: percept.Game, first: int, count: int) -> list[tuple[bytes, str]]:
        matches = game.play(count, seed=seed, first=first, max_rounds=max_rounds, threads=1)
        return [(it.tobytes(), it.format) for it in (matches.rounds, matches.terminal, matches.goals)]

    firsts = range(0, n, task) if n > 0 else [0]
    parts = ray.get([part.remote(held, first, min(task, n - first)) for first in firsts])
    rounds, terminal, goals = ([part[at] for part in parts] for at in range(3))
    return Played(_joined(rounds, n), _joined(terminal, n), _joined(goals, n, len(game.roles)))


def _run(program: str, arguments: Sequence[str], fine: Sequence[int] = (0,)) -> str:
    """What the program prints. Raises `PerceptError` with what it says where it fails."""
    try:
        run = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise percept.PerceptError(f"the program {program} cannot be run here: {error}") from None
    if run.returncode not in fine:
        raise percept.PerceptError(run.stderr.strip() or f"{program} ended with {run.returncode}")
    return run.stdout


@dataclass(frozen=True)
class _Tournament:
    """What every machine is told of a tournament."""

    program: str
    games: list[list[tuple[str, str]]]
    """By game the names and texts of its files; the last is the one that is named."""
    options: list[str]

    def held(self, out: pathlib.Path, more: Sequence[str]) -> str:
        """Plays in a folder of its own, and writes the matches to `out`."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, files in enumerate(self.games):
                here = pathlib.Path(folder, str(number))
                here.mkdir()
                for name, text in files:
                    (here / name).write_text(text, encoding="utf-8")
                paths.append(str(here / files[-1][0]))
            return _run(self.program, ["tournament", *paths, *self.options, "--out", str(out), *more])


def tournament(
    games: Iterable[str | os.PathLike[str]],
    players: Sequence[str],
    n: int = 100,
    *,
    simulations: int | None = None,
    playclock: str | None = None,
    seed: int = 0,
    parts: int = 16,
    out: str | os.PathLike[str] | None = None,
    html: str | os.PathLike[str] | None = None,
    program: str = "percept",
) -> dict[str, Any]:
    """Lets every pair of players play `n` matches on every game, as `percept tournament` does, in so many `parts`, a task each.

    Returns what `percept tournament --format json` says of all of them. With `simulations` the matches are those of one
    machine; with a `playclock` (`"2s"`) players think as long as it lets them. `out` and `html` are files as
    `percept tournament` writes them; `program` is the path of `percept` on every machine.
    """
    texts = []
    for path in games:
        files = [pathlib.Path(name) for name in percept.load(path).files]
        texts.append([(name.name, name.read_text(encoding="utf-8")) for name in dict.fromkeys(files)])
    options = ["--players", ",".join(players), "-n", str(n), "--seed", str(seed), "--format", "json"]
    options += ["--simulations", str(simulations)] if simulations is not None else []
    options += ["--playclock", playclock] if playclock is not None else []
    asked = _Tournament(program, texts, options)

    def part(number: int) -> str:
        with tempfile.TemporaryDirectory() as folder:
            lines = pathlib.Path(folder, "matches")
            asked.held(lines, ["--part", f"{number + 1}/{parts}", "--jobs", "1"])
            return lines.read_text(encoding="utf-8")

    played = each(part, range(parts))
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder, "matches")
        head, *_ = played[0].splitlines(keepends=True)
        # By number first, as one machine plays them.
        matches = [line for text in played for line in text.splitlines(keepends=True)[1:]]
        matches.sort(key=lambda line: json.loads(line)["number"])
        lines.write_text(head + "".join(matches), encoding="utf-8")
        answer = json.loads(asked.held(lines, ["--html", os.fspath(html)] if html else []))
        if out is not None:
            pathlib.Path(out).write_text(lines.read_text(encoding="utf-8"), encoding="utf-8")
    return answer


def table1(
    *,
    matches: int = 10,
    cell: str = "",
    members: int | None = None,
    time: str | None = None,
    method: str = "auto",
    seed: int = 1,
    parts: int = 16,
    program: str = "percept",
) -> dict[str, Any]:
    """The paper's Table 1, as `percept bench table1 --format json` makes it, in so many `parts`, a task each.

    Members are those of one machine by the seed, where a `method` is named and the time suffices (`auto` turns to another
    one when the first takes long); seconds are those of the machine that worked.
    """
    options = ["--matches", str(matches), "--cell", cell, "--method", method, "--seed", str(seed), "--format", "json"]
    options += ["--members", str(members)] if members is not None else []
    options += ["--time", time] if time is not None else []

    def part(number: int) -> dict[str, Any]:
        asked = ["bench", "table1", *options, "--part", f"{number + 1}/{parts}"]
        # 1: somewhere nothing was found; the table says where.
        return json.loads(_run(program, asked, (0, 1)))

    tables = each(part, range(parts))

    def together(cells: list[list[Any]]) -> list[Any]:
        # Part k has the cells k, k + parts, k + 2 parts, ...
        return [cells[at % parts][at // parts] for at in range(sum(map(len, cells)))]

    answer = tables[0]
    answer["cells"] = together([table["cells"] for table in tables])
    for at, run in enumerate(answer["runs"]):
        run["cells"] = together([table["runs"][at]["cells"] for table in tables])
    return answer
