"""Many matches of a described game at once, with the knowledge of every player: for self-play and its evaluation.

A policy is a function of two arrays, observations (:mod:`percept.encoding`) and action masks of many matches, that
returns the number of a legal move in each. Chance, and every player without a policy, moves uniformly at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import percept
from percept.encoding import Encoding

Policy = Callable[[NDArray[np.float32], NDArray[np.int8]], Any]

LARGEST_BATCH = 1 << 26
"""The largest number of items in the observations of all matches; larger views are cut to the last round."""


class Seats:
    """Matches that advance together. `roles`: those whose knowledge is kept, by default all players; `rounds`: the rows of
    an observation, by default the longest match that is known to be possible; later rounds are not in it."""

    def __init__(
        self,
        game: percept.Game,
        size: int,
        *,
        roles: list[str] | None = None,
        rounds: int | None = None,
        memory: bool = True,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        self.game, self.size = game, size
        self.roles = list(game.players) if roles is None else list(roles)
        self.encodings = {role: Encoding(game, role, rounds=rounds) for role in self.roles}
        self._at = {role: game.roles.index(role) for role in self.roles}
        items = sum(size * rows * width for rows, width in (it.shape for it in self.encodings.values()))
        self.remembers = memory and items <= LARGEST_BATCH
        self._batch = game.batch(size, seed=seed, threads=threads)
        self._everyone = np.arange(size)
        self._seen = {role: np.zeros((size, *self.shape(role)), np.float32) for role in self.roles}

    def shape(self, role: str) -> tuple[int, int]:
        """Rounds and columns of an observation; one round if the matches do not remember more."""
        rounds, width = self.encodings[role].shape
        return (rounds if self.remembers else 1), width

    def observe(self, role: str) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """The observations (match, round, column) and the action masks (match, move) of a role."""
        return self._seen[role].copy(), np.asarray(self._batch.legal(role)).astype(np.int8)

    @property
    def over(self) -> NDArray[np.bool_]:
        """The matches that are over."""
        return np.array(self._batch.terminal, dtype=bool)

    def random_moves(self, role: str) -> NDArray[np.int32]:
        """A uniformly random legal move in each match; -1 where it is over."""
        return np.array(self._batch.random_moves())[:, self._at[role]]

    def goals(self, role: str) -> NDArray[np.float64]:
        """The goals of a role: only those of matches that are over count."""
        return np.asarray(self._batch.goals())[:, self.game.roles.index(role)].astype(np.float64)

    def step(self, actions: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Makes a joint move in every match that is not over. `actions`: for some roles, the number of a move in each
        match. Returns the matches that are over now."""
        goes_on = ~self.over
        moves = np.array(self._batch.random_moves())
        for role, chosen in actions.items():
            own = np.asarray(chosen, np.int64).reshape(self.size)
            moves[goes_on, self.game.roles.index(role)] = own[goes_on]
        at = np.asarray(self._batch.rounds).astype(np.int64) if self.remembers else np.zeros_like(self._everyone)
        percepts = self._batch.step(moves, percepts=self.roles)
        for role in self.roles:
            self._write(role, moves[:, self._at[role]], np.asarray(percepts[role]), at, goes_on)
        return self.over

    def _write(
        self,
        role: str,
        own: NDArray[np.int32],
        percepts: NDArray[np.bool_],
        at: NDArray[np.int64],
        goes_on: NDArray[np.bool_],
    ) -> None:
        rounds, width = self.shape(role)
        row = np.zeros((self.size, width), np.float32)
        if self.game.knows_own_moves:
            row[self._everyone, own] = 1
        row[:, len(self.encodings[role].moves) : -1] = percepts
        row[:, -1] = 1
        inside = goes_on & (at < rounds)
        self._seen[role][self._everyone[inside], at[inside]] = row[inside]

    def restart(self) -> NDArray[np.bool_]:
        """Restarts the matches that are over, and returns them."""
        over = self.over
        if over.any():
            self._batch.restart()
            for seen in self._seen.values():
                seen[over] = 0
        return over


def play(
    game: percept.Game,
    policies: Mapping[str, Policy],
    n: int,
    *,
    size: int = 1024,
    rounds: int | None = None,
    memory: bool = True,
    seed: int = 0,
    threads: int = 0,
    max_rounds: int = 10_000,
) -> NDArray[np.float64]:
    """Plays `n` matches with these policies, and returns the goals by match and role (in the order of `game.roles`);
    NaN where a match was longer than `max_rounds`."""
    goals = np.full((n, len(game.roles)), np.nan)
    for first in range(0, n, size):
        here = min(size, n - first)
        seats = Seats(
            game, here, roles=list(policies), rounds=rounds, memory=memory, seed=seed + first, threads=threads
        )
        for _ in range(max_rounds):
            if seats.over.all():
                break
            seats.step({role: policy(*seats.observe(role)) for role, policy in policies.items()})
        over = seats.over
        for at, role in enumerate(game.roles):
            goals[first : first + here, at][over] = seats.goals(role)[over]
    return goals
