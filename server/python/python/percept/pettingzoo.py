"""Described games as environments of PettingZoo.

`parallel_env(path)`: all agents act in every round, as the roles of a description do. `env(path)`: one after the other
(AEC), without seeing earlier choices in the round. Roles that move by chance are played by the environment.

An observation is a dict: `observation`, the agent's whole view (one row per round: own move, percepts, 1), and
`action_mask`, 1 for legal moves. If a whole view would be too large, or with `memory=False`, it is the last round.
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-not-found, import-untyped, unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-not-found, import-untyped, unused-ignore]
from pettingzoo.utils.conversions import parallel_to_aec  # type: ignore[import-not-found, import-untyped, unused-ignore]

import percept
from percept._table import Table


def parallel_env(
    path: str | os.PathLike[str] | percept.Game,
    *,
    domain: str | os.PathLike[str] | None = None,
    max_rounds: int | None = None,
    memory: bool = True,
    render_mode: str | None = None,
) -> ParallelEnv:
    """All agents act in every round. Matches are truncated after `max_rounds`, by default the proved bound, or 1000."""
    game = path if isinstance(path, percept.Game) else percept.load(path, domain=domain)
    return Environment(game, max_rounds or 0, memory, render_mode)


def env(
    path: str | os.PathLike[str] | percept.Game,
    *,
    domain: str | os.PathLike[str] | None = None,
    max_rounds: int | None = None,
    memory: bool = True,
    render_mode: str | None = None,
) -> AECEnv:
    """One agent acts after the other; the rest is the same as in :func:`parallel_env`."""
    made = parallel_env(path, domain=domain, max_rounds=max_rounds, memory=memory, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(parallel_to_aec(made))


class Environment(ParallelEnv):  # type: ignore[misc, unused-ignore]
    """A described game, round by round."""

    metadata = {"render_modes": ["ansi", "human"], "name": "percept_v0", "is_parallelizable": True}

    def __init__(self, game: percept.Game, max_rounds: int, memory: bool, render_mode: str | None) -> None:
        self.game, self.render_mode = game, render_mode
        self._table = Table(game, max_rounds)
        self.metadata = self.metadata | {"name": f"{game.name}_v0"}
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        self._remembers = memory and self._table.remembers
        self._numbers = np.random.default_rng()
        self._state = game.initial()
        table = self._table
        shape = (table.max_rounds, table.round_size) if self._remembers else (table.round_size,)
        self._observations = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 1, shape, np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (len(table.moves[agent]),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {
            agent: gymnasium.spaces.Discrete(len(table.moves[agent])) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._actions[agent]

    @property
    def percept_state(self) -> percept.State:
        """The state of the described game."""
        return self._state

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if seed is not None:
            self._numbers = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self._state = self.game.initial()
        return {agent: self._observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[
        dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
    ]:
        if not actions:
            self.agents = []
            return {}, {}, {}, {}, {}
        moves = []
        for role in self.game.roles:
            if role in self._table.chance:
                moves.append(int(self._numbers.choice(self._state.legal_ids(role))))
            else:
                moves.append(int(actions[role]))
        self._state.step_ids(moves)
        over = self._state.is_terminal
        cut = not over and self._state.round >= self._table.max_rounds
        goals = self._state.goals() if over else {}
        agents = self.agents
        rewards = {agent: float(goals.get(agent) or 0) for agent in agents}
        observations = {agent: self._observe(agent) for agent in agents}
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            print(self.render())
        return (
            observations,
            rewards,
            {agent: over for agent in agents},
            {agent: cut for agent in agents},
            {agent: {} for agent in agents},
        )

    def render(self) -> str:
        """The fluents that hold, one per line."""
        return "\n".join(self._state.facts())

    def close(self) -> None:
        pass

    def _observe(self, agent: str) -> dict[str, np.ndarray]:
        table = self._table
        shape = self._observations[agent]["observation"].shape
        array = np.zeros(shape or (), np.float32)
        view = self._state.view(agent)
        if self._remembers:
            table.layout.write_view(array, view)
        elif len(view):
            table.layout.write_round(array, *view.ids()[-1])
        mask = np.zeros(len(table.moves[agent]), np.int8)
        mask[self._state.legal_ids(agent)] = 1
        return {"observation": array, "action_mask": mask}
