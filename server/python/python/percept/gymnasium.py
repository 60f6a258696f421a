"""Many matches of a described game as one vector environment of Gymnasium, from the seat of one player.

`vector_env(path, num_envs)`: chance moves at random, and the other players by the policies `others` (functions of
observations and action masks, :mod:`percept.selfplay`), by default at random. An observation is a dict: `observation`,
the player's whole view (:mod:`percept.encoding`), and `action_mask`, 1 for legal moves. If a whole view would be too
large, or with `memory=False`, it is the last round. A match that ends begins again in the same step; its last observation
is in `infos["final_obs"]`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import percept
from percept.selfplay import Policy, Seats


def vector_env(
    path: str | os.PathLike[str] | percept.Game,
    num_envs: int,
    *,
    role: str | None = None,
    others: Mapping[str, Policy] | None = None,
    domain: str | os.PathLike[str] | None = None,
    rounds: int | None = None,
    memory: bool = True,
    seed: int = 0,
    threads: int = 0,
) -> MatchVector:
    """Creates the environment; `role` is the seat, by default that of the first player; `rounds`: the rows of an
    observation, by default the longest match that is known to be possible."""
    game = path if isinstance(path, percept.Game) else percept.load(path, domain=domain)
    return MatchVector(game, num_envs, role or game.players[0], others or {}, rounds, memory, seed, threads)


class MatchVector(VectorEnv[Any, Any, Any]):
    """Matches that advance together, seen from one seat."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: percept.Game,
        num_envs: int,
        role: str,
        others: Mapping[str, Policy],
        rounds: int | None,
        memory: bool,
        seed: int,
        threads: int,
    ) -> None:
        self.game, self.role, self.num_envs = game, role, num_envs
        self.others = dict(others)
        """The policies of other players; they can be exchanged between steps."""
        self._how: dict[str, Any] = {"roles": [role, *self.others], "rounds": rounds, "memory": memory, "threads": threads}
        self._seats = Seats(game, num_envs, seed=seed, **self._how)
        rows, width = self._seats.shape(role)
        self._is_flat = rows == 1
        moves = len(game.moves(role))
        self.single_observation_space = gymnasium.spaces.Dict(
            observation=gymnasium.spaces.Box(0, 1, (width,) if self._is_flat else (rows, width), np.float32),
            action_mask=gymnasium.spaces.Box(0, 1, (moves,), np.int8),
        )
        self.single_action_space = gymnasium.spaces.Discrete(moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(  # type: ignore[override, unused-ignore]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        super().reset(seed=seed)
        seed = int(self.np_random.integers(1 << 63)) if seed is None else seed
        self._seats = Seats(self.game, self.num_envs, seed=seed, **self._how)
        return self._observe(), {}

    def step(
        self, actions: Any
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        moves = {role: policy(*self._seats.observe(role)) for role, policy in self.others.items()}
        over = self._seats.step({**moves, self.role: actions})
        rewards = np.where(over, self._seats.goals(self.role), 0.0)
        infos: dict[str, Any] = {}
        if over.any():
            infos = {"final_obs": self._observe(), "_final_obs": over}
            self._seats.restart()
        return self._observe(), rewards, over, np.zeros(self.num_envs, bool), infos

    def random_actions(self) -> NDArray[np.int32]:
        """A uniformly random legal move in each match."""
        return self._seats.random_moves(self.role)

    def _observe(self) -> dict[str, NDArray[Any]]:
        seen, mask = self._seats.observe(self.role)
        return {"observation": seen[:, 0] if self._is_flat else seen, "action_mask": mask}
