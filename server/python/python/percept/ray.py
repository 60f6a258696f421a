"""Work on many machines, with Ray: tournaments, proofs over a collection of games, the paper's Table 1, random matches.

Every task gets its seed and its numbers from the caller, so results do not depend on the machines or on repetitions: a
task whose node is lost is run again on another one, and its answer counts once. Games are sent as their texts; the
machines need this package, not the files. For tournaments and Table 1 they also need the program `percept`.

Call `ray.init(...)` first, as for any use of Ray.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import percept
import ray
from percept._percept import Responder, Share
from percept.tables import Evaluated

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")

RETRIES = 20
"""The number of times that a task may lose its node."""


def each(work: Callable[[_Item], _Answer], items: Iterable[_Item], *, cpus: float = 1) -> list[_Answer]:
    """Calls `work` on every item, each in a separate task, and returns the answers in the order of the items.

    `work` must give the same answer every time. Its exceptions are raised here.
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
    """A description that is not a game."""

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
    """Proves every game of a collection, one task per game. Returns the answers of `Game.prove` in the order of `paths`.

    `time`: seconds for each property; a proof that needs about as much time may succeed on one machine and not on
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
    # Python cannot give an empty view several dimensions.
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


_responders: dict[str, Responder] = {}
"""The last responders of this worker: the parts of a best response share their states."""


def _responder(key: str, game: percept.Game, strategy: str, role: str, memory: int) -> Responder:
    if key not in _responders:
        # A cluster works on two roles at a time, where one ends and the other begins.
        while len(_responders) > 1:
            del _responders[next(iter(_responders))]
        _responders[key] = Responder(game, strategy, role, memory=memory)
    return _responders[key]


def best_response(
    game: percept.Game,
    strategy: percept.Solution | str | dict[percept.View, dict[str, float]] | None = None,
    *,
    parts: int = 64,
    memory: int = 2 << 30,
) -> Evaluated:
    """The answer of `Game.evaluate`: the values of strategies, and those of best responses, each in `parts` tasks.

    A task walks some of the views of a role; every worker finds the states of the game once, in up to `memory` bytes.
    """
    text = game._strategy(strategy, memory=memory)
    held, written = ray.put(game), ray.put(text)
    run = uuid.uuid4().hex

    @ray.remote(num_cpus=1, max_retries=RETRIES)
    def part(game: percept.Game, strategy: str, role: str, number: int) -> Any:
        return _responder(f"{run} {role}", game, strategy, role, memory).part(number, parts)

    @ray.remote(num_cpus=1, max_retries=RETRIES)
    def join(game: percept.Game, strategy: str, role: str, *done: Any) -> Any:
        return _responder(f"{run} {role}", game, strategy, role, memory).join(done)

    done = []
    for role in game.players:
        walked = [part.remote(held, written, role, number) for number in range(parts)]
        done.append(join.remote(held, written, role, *walked))
    return Evaluated(ray.get(done))


class _Keeper:
    """Keeps a share of the payoffs."""

    def __init__(self, game: percept.Game, number: int, of: int, memory: int) -> None:
        self.share = Share(game, number, of, memory=memory)

    def gains(self, player: int, plan: bytes) -> bytes:
        return self.share.gains(player, plan)


def solve(
    game: percept.Game,
    *,
    shares: int | None = None,
    method: Literal["cfr+", "dcfr", "pcfr+"] = "pcfr+",
    target: float = 1e-4,
    iterations: int | None = None,
    time: float | None = None,
    memory: int = 2 << 30,
) -> percept.Solution:
    """The answer of `Game.solve` for two players with opposed goals, by regret minimization with the payoffs in shares.

    Each share, by default one for each processor, keeps the payoffs of some sequences in an actor, and multiplies plans
    with them. Regrets and plans are kept here: if a node is lost, its shares are made again on others, and the work goes
    on where it was. `memory`: the most bytes of the tree, which each share builds once.
    """
    cluster: Any = ray
    count = shares or max(1, int(cluster.cluster_resources().get("CPU", 1)))

    # Without a claim on processors, so that the shares of a lost node find a place on the others.
    remote = ray.remote(num_cpus=0, scheduling_strategy="SPREAD", max_restarts=RETRIES, max_task_retries=RETRIES)
    keeper: Any = remote(_Keeper)
    keepers = [keeper.remote(game, number, count, memory) for number in range(count)]

    def gains(player: int, plan: bytes) -> bytes:
        written = ray.put(plan)
        return b"".join(ray.get([it.gains.remote(player, written) for it in keepers]))

    try:
        return game._solve_apart(
            gains, method=method, target=target, iterations=iterations, time=time, memory=memory
        )
    finally:
        for it in keepers:
            ray.kill(it)


def _run(program: str, arguments: Sequence[str], fine: Sequence[int] = (0,)) -> str:
    """Runs the program and returns its output. If it fails, raises `PerceptError` with its message."""
    try:
        run = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise percept.PerceptError(f"the program {program} cannot be run here: {error}") from None
    if run.returncode not in fine:
        raise percept.PerceptError(run.stderr.strip() or f"{program} ended with {run.returncode}")
    return run.stdout


@dataclass(frozen=True)
class _Tournament:
    """The data of a tournament for every machine."""

    program: str
    games: list[list[tuple[str, str]]]
    """The names and texts of each game's files; the last file is the one on the command line."""
    options: list[str]

    def held(self, out: pathlib.Path, more: Sequence[str]) -> str:
        """Plays in a temporary folder, and writes the matches to `out`."""
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
    """Lets every pair of players play `n` matches on every game, as `percept tournament` does, in `parts` tasks.

    Returns the summary of `percept tournament --format json` for all of them. With `simulations` the matches are the same
    as on one machine; with a `playclock` (`"2s"`) they depend on the speed of the machines. `out` and `html` are files in
    the formats of `percept tournament`; `program` is the path of `percept` on every machine.
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
        # In the order of the numbers, as on one machine.
        matches = [line for text in played for line in text.splitlines(keepends=True)[1:]]
        matches.sort(key=lambda line: json.loads(line)["number"])
        lines.write_text(head + "".join(matches), encoding="utf-8")
        answer: dict[str, Any] = json.loads(asked.held(lines, ["--html", os.fspath(html)] if html else []))
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
    """The paper's Table 1, as `percept bench table1 --format json` makes it, in `parts` tasks.

    With a named `method` and sufficient time, the seed gives the same members as on one machine (`auto` switches to
    another method if the first takes long). Seconds are those of the machine that worked.
    """
    options = ["--matches", str(matches), "--cell", cell, "--method", method, "--seed", str(seed), "--format", "json"]
    options += ["--members", str(members)] if members is not None else []
    options += ["--time", time] if time is not None else []

    def part(number: int) -> dict[str, Any]:
        asked = ["bench", "table1", *options, "--part", f"{number + 1}/{parts}"]
        # Status 1: a cell has no result; the table shows which one.
        table: dict[str, Any] = json.loads(_run(program, asked, (0, 1)))
        return table

    tables = each(part, range(parts))

    def together(cells: list[list[Any]]) -> list[Any]:
        # Part k has the cells k, k + parts, k + 2 parts, ...
        return [cells[at % parts][at // parts] for at in range(sum(map(len, cells)))]

    answer = tables[0]
    answer["cells"] = together([table["cells"] for table in tables])
    for at, run in enumerate(answer["runs"]):
        run["cells"] = together([table["runs"][at]["cells"] for table in tables])
    return answer
