"""Many matches of a described game as one vector environment of Gymnasium, from the seat of one player.

`vector_env(path, num_envs)`: chance and the other roles move at random. An observation is a dict: `observation`, the
player's whole view (one row per round: own move, percepts, 1), and `action_mask`, 1 for legal moves. If a whole view would
be too large, or with `memory=False`, it is the last round. A match that ends begins again in the same step; its last
observation is in `infos["final_obs"]`.
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import percept
from percept._table import Table

LARGEST_BATCH = 1 << 26
"""The largest number of items in the observations of all matches; larger views are cut to the last round."""


def vector_env(
    path: str | os.PathLike[str] | percept.Game,
    num_envs: int,
    *,
    role: str | None = None,
    domain: str | os.PathLike[str] | None = None,
    memory: bool = True,
    seed: int = 0,
    threads: int = 0,
) -> MatchVector:
    """Creates the environment; `role` is the seat, by default that of the first player."""
    game = path if isinstance(path, percept.Game) else percept.load(path, domain=domain)
    return MatchVector(game, num_envs, role or game.players[0], memory, seed, threads)


class MatchVector(VectorEnv[Any, Any, Any]):
    """Matches that advance together, seen from one seat."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: percept.Game, num_envs: int, role: str, memory: bool, seed: int, threads: int) -> None:
        self.game, self.role, self.num_envs = game, role, num_envs
        self._table = table = Table(game)
        self._at, self._threads = game.roles.index(role), threads
        self._moves, self._percepts = len(table.moves[role]), len(table.percepts[role])
        # A round: the own move, the percepts, and a 1 that marks a round as played.
        self._row = self._moves + self._percepts + 1
        rounds = table.max_rounds if memory else 1
        self._rounds = rounds if num_envs * rounds * self._row <= LARGEST_BATCH else 1
        shape = (self._rounds, self._row) if self._rounds > 1 else (self._row,)
        self.single_observation_space = gymnasium.spaces.Dict(
            observation=gymnasium.spaces.Box(0, 1, shape, np.float32),
            action_mask=gymnasium.spaces.Box(0, 1, (self._moves,), np.int8),
        )
        self.single_action_space = gymnasium.spaces.Discrete(self._moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        self._batch = self.game.batch(self.num_envs, seed=seed, threads=self._threads)
        self._seen = np.zeros((self.num_envs, self._rounds, self._row), np.float32)

    def reset(  # type: ignore[override, unused-ignore]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        super().reset(seed=seed)
        self._begin(int(self.np_random.integers(1 << 63)) if seed is None else seed)
        return self._observe(), {}

    def step(
        self, actions: Any
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        everyone = np.arange(self.num_envs)
        own: NDArray[np.int64] = np.asarray(actions, np.int64).reshape(self.num_envs)
        moves = np.array(self._batch.random_moves())
        moves[:, self._at] = own
        at = np.asarray(self._batch.rounds).astype(np.int64) if self._rounds > 1 else np.zeros_like(everyone)
        percepts = np.asarray(self._batch.step(moves, percepts=[self.role])[self.role])
        row = np.zeros((self.num_envs, self._row), np.float32)
        if self.game.knows_own_moves:
            row[everyone, own] = 1
        row[:, self._moves : -1] = percepts
        row[:, -1] = 1
        inside = at < self._rounds
        self._seen[everyone[inside], at[inside]] = row[inside]
        over = np.array(self._batch.terminal, dtype=bool)
        rewards = np.where(over, np.asarray(self._batch.goals())[:, self._at], 0).astype(np.float64)
        infos: dict[str, Any] = {}
        if over.any():
            infos = {"final_obs": self._observe(), "_final_obs": over}
            self._batch.restart()
            self._seen[over] = 0
        return self._observe(), rewards, over, np.zeros(self.num_envs, bool), infos

    def random_actions(self) -> NDArray[np.int32]:
        """A uniformly random legal move in each match."""
        return np.array(self._batch.random_moves())[:, self._at]

    def _observe(self) -> dict[str, NDArray[Any]]:
        seen = self._seen if self._rounds > 1 else self._seen[:, 0]
        return {"observation": seen.copy(), "action_mask": np.asarray(self._batch.legal(self.role)).astype(np.int8)}
