"""Described games as games of OpenSpiel.

`load(path)` returns a `pyspiel.Game` with everything that OpenSpiel requires of games of imperfect information: chance
nodes, simultaneous nodes, information states as strings and tensors, and `resample_from_infostate`.

In a round of a description the roles that move by chance choose first. The players follow, at one simultaneous node or one
after the other (without seeing earlier choices in the round). A role with only one move has no node.
"""

from __future__ import annotations

import functools
import os
from typing import Any, Callable, Iterable
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

import percept
from percept._table import Table

_PARAMETERS = {"path": "", "domain": "", "simultaneous": "auto", "max_rounds": 0, "zero": 0.0, "unit": 1.0}
_SHORT_NAME = "percept"

_PROBE_MATCHES, _PROBE_ROUNDS = 64, 40
_TRIES = 1000


def load(
    path: str | os.PathLike[str],
    *,
    domain: str | os.PathLike[str] | None = None,
    simultaneous: bool | None = None,
    max_rounds: int | None = None,
    zero: float = 0.0,
    unit: float = 1.0,
) -> Any:
    """Loads a description as a `pyspiel.Game`.

    `simultaneous`: true to let roles that choose in the same round do so at a simultaneous node, false for one after the
    other, without seeing each other's choice, as many of OpenSpiel's algorithms require. By default it is true if random
    play meets such rounds. `max_rounds`: the round at which matches are cut off; by default the proved bound, or 1000
    without one. Returns are `(goal - zero) / unit`.
    """
    named = {True: "yes", False: "no", None: "auto"}[simultaneous]
    parameters = {
        # OpenSpiel writes parameters into one line of text, in which a path's own commas would be lost.
        "path": quote(os.path.abspath(path)),
        "domain": quote(os.path.abspath(domain)) if domain else "",
        "simultaneous": named,
        "max_rounds": max_rounds or 0,
        "zero": float(zero),
        "unit": float(unit),
    }
    # Loads the game once here, so that its errors are raised as exceptions: OpenSpiel would end the process.
    percept.load(path, domain=domain)
    return pyspiel.load_game(_SHORT_NAME, parameters)


def _game_type(**changes: Any) -> Any:
    about: dict[str, Any] = dict(
        short_name=_SHORT_NAME,
        long_name="Described by percept",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=100,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_PARAMETERS,
        default_loadable=False,
    )
    return pyspiel.GameType(**(about | changes))


@functools.lru_cache(maxsize=16)
def _described(path: str, domain: str, stamp: float, max_rounds: int) -> tuple[Table, bool, float | None]:
    """A game with its computed properties, cached because OpenSpiel creates the game again whenever it reads a state."""
    del stamp
    table = Table(percept.load(path, domain=domain or None), max_rounds)
    return table, _meets_simultaneous(table), _constant_sum(table)


def _meets_simultaneous(table: Table) -> bool:
    """True if random play meets a round in which two players have a choice."""
    if table.game.is_sequential or len(table.players) < 2:
        return False
    batch = table.game.batch(_PROBE_MATCHES, threads=1)
    for _ in range(min(_PROBE_ROUNDS, table.max_rounds)):
        choosers = sum((np.asarray(batch.legal(role)).sum(axis=1) > 1).astype(int) for role in table.players)
        if (choosers > 1).any():
            return True
        batch.step(batch.random_moves())
    return False


def _constant_sum(table: Table) -> float | None:
    """The constant sum of the players' goals, if it is certain because the whole tree was examined."""
    if len(table.players) != 2:
        return None
    try:
        kind = table.game.solve(method="cfr+", iterations=1, time=2, memory=1 << 27).kind
    except percept.PerceptError:
        return None
    matches = table.game.play(2000, max_rounds=table.max_rounds, threads=1)
    at = [table.game.roles.index(role) for role in table.players]
    goals = np.asarray(matches.goals).reshape(len(matches), len(table.game.roles))[np.asarray(matches.terminal)][:, at]
    sums = np.unique(goals.sum(axis=1))
    # Goals are on one line; two of its points with the same sum determine its slope, and so all sums.
    if kind != "zero-sum" or len(sums) != 1 or len(np.unique(goals[:, 0])) < 2:
        return None
    return float(sums[0])


class Game(pyspiel.Game):
    """A described game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        asked = _PARAMETERS | (params or {})
        if not asked["path"]:
            raise ValueError("percept needs the path of a description: percept(path=...)")
        path, domain = unquote(asked["path"]), unquote(asked["domain"])
        stamp = os.stat(path).st_mtime + (os.stat(domain).st_mtime if domain else 0)
        table, is_simultaneous, total = _described(path, domain, stamp, int(asked["max_rounds"]))
        self.table = table
        self.zero, self.unit = float(asked["zero"]), float(asked["unit"])
        wanted = asked["simultaneous"]
        if wanted not in ("auto", "yes", "no"):
            raise ValueError(f"`simultaneous` is auto, yes or no, not {wanted}")
        self.is_simultaneous = wanted == "yes" or (wanted == "auto" and is_simultaneous)
        total = None if total is None else (total - 2 * self.zero) / self.unit
        utilities = pyspiel.GameType.Utility
        utility = utilities.GENERAL_SUM if total is None else utilities.CONSTANT_SUM if total else utilities.ZERO_SUM
        dynamics, chance = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode
        players = len(table.players)
        kind = _game_type(
            long_name=table.game.name,
            dynamics=dynamics.SIMULTANEOUS if self.is_simultaneous else dynamics.SEQUENTIAL,
            chance_mode=chance.EXPLICIT_STOCHASTIC if table.chance else chance.DETERMINISTIC,
            utility=utility,
            provides_information_state_tensor=table.remembers,
            max_num_players=players,
            min_num_players=players,
        )
        ends = sorted((end - self.zero) / self.unit for end in (table.least, table.greatest))
        about = pyspiel.GameInfo(
            num_distinct_actions=table.actions,
            max_chance_outcomes=table.outcomes,
            num_players=players,
            min_utility=ends[0],
            max_utility=ends[1],
            utility_sum=total,
            max_game_length=table.max_rounds * (1 if self.is_simultaneous else players),
        )
        super().__init__(kind, about, params or {})

    def new_initial_state(self) -> State:
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.table.max_rounds * len(self.table.chance)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class State(pyspiel.State):
    """A match of a described game, within a round or between two rounds."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._table = game.table
        self._is_simultaneous = game.is_simultaneous
        self._zero, self._unit = game.zero, game.unit
        self.percept = game.table.game.initial()
        """The state at the beginning of this round."""
        self.chosen: dict[str, int] = {}
        """The numbers of the moves chosen in this round so far, by role."""
        self._legal: dict[str, list[int]] = {}
        self._next: list[str] = []
        self._begin_round()

    # The rounds of the description.

    def _begin_round(self) -> None:
        """Advances to the next round in which a role has a choice."""
        while not self.is_terminal():
            roles = self._table.game.roles
            self._legal = {role: self.percept.legal_ids(role) for role in roles}
            stuck = next((role for role, legal in self._legal.items() if not legal), None)
            if stuck is not None:
                raise pyspiel.SpielError(f"{stuck} has no legal move after round {self.percept.round}")
            self.chosen = {role: legal[0] for role, legal in self._legal.items() if len(legal) == 1}
            order = [*self._table.chance, *self._table.players]
            self._next = [role for role in order if role not in self.chosen]
            if self._next:
                return
            self._end_round()
        self.chosen, self._next = {}, []

    def _end_round(self) -> None:
        self.percept.step_ids([self.chosen[role] for role in self._table.game.roles])

    def _choose(self, moves: dict[str, int]) -> None:
        self.chosen |= moves
        self._next = [role for role in self._next if role not in moves]
        if not self._next:
            self._end_round()
            self._begin_round()

    def _play_round(self, moves: list[int]) -> None:
        """Plays a whole round of the description, given the number of each role's move."""
        joint = dict(zip(self._table.game.roles, moves))
        before = self.percept.round
        while not self.is_terminal() and self.percept.round == before:
            if self.is_simultaneous_node():
                self.apply_actions([joint[role] for role in self._table.players])
            else:
                self.apply_action(joint[self._next[0]])

    # The interface of OpenSpiel.

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self._next[0] in self._table.chance:
            return int(pyspiel.PlayerId.CHANCE)
        if self._is_simultaneous and len(self._next) > 1:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self._table.players.index(self._next[0])

    def is_terminal(self) -> bool:
        return self.percept.is_terminal or self.percept.round >= self._table.max_rounds

    def _legal_actions(self, player: int) -> list[int]:
        if self.is_terminal() or player < 0:
            return []
        role, now = self._table.players[player], self.current_player()
        is_asked = now == player or now == pyspiel.PlayerId.SIMULTANEOUS
        return list(self._legal[role]) if is_asked else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        legal = self._legal[self._next[0]]
        return [(move, 1 / len(legal)) for move in legal]

    def _apply_action(self, action: int) -> None:
        self._choose({self._next[0]: action})

    def _apply_actions(self, actions: Iterable[int]) -> None:
        self._choose(dict(zip(self._table.players, actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self._table.moves[self._table.players[player]][action]
        role = self._next[0] if self._next and self._next[0] in self._table.chance else self._table.chance[0]
        return self._table.moves[role][action]

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * len(self._table.players)
        goals = self.percept.goals()
        # A match that was cut off, or for which the rules give no goal, has the least value.
        least = self._table.least
        worth = (goals[role] for role in self._table.players)
        return [((least if goal is None else goal) - self._zero) / self._unit for goal in worth]

    def view_string(self, player: int) -> str:
        """The knowledge of a player; equal for exactly the states that it cannot distinguish."""
        role = self._table.players[player]
        text = str(self.percept.view(role))
        chosen = self.chosen.get(role) if len(self._legal.get(role, ())) > 1 else None
        return text if chosen is None or self.is_terminal() else f"{text} now {self._table.moves[role][chosen]}"

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float]) -> State:
        """Draws a state that the player cannot distinguish from this one; chance and the opponents count as uniform.

        A player with a choice knows that the match is not over, so finished matches are left out.
        """
        for _ in range(_TRIES):
            other = self._draw(player_id, rng)
            if other is not None and other.current_player() == self.current_player():
                return other
        raise pyspiel.SpielError("percept found no state that could be this one")

    def _draw(self, player: int, rng: Callable[[], float]) -> State | None:
        role = self._table.players[player]
        sampled = self.percept.view(role).sample(int(rng() * (1 << 53)))
        if sampled is None or (sampled.is_terminal and not self.is_terminal()):
            return None
        other = self.get_game().new_initial_state()
        for joint in sampled.history:
            other._play_round(
                [self._table.numbers[name][move] for name, move in zip(self._table.game.roles, joint)]
            )
        # In this round, the player's own choice is kept; the others choose again.
        waiting = set(self._next)
        while not other.is_terminal() and other._next and other._next[0] not in waiting:
            acting = other._next[0]
            legal = other._legal[acting]
            known = self.chosen.get(acting) if acting == role else None
            other.apply_action(legal[int(rng() * len(legal))] if known is None else known)
        return other

    def __str__(self) -> str:
        rounds = " ".join("(" + " ".join(joint) + ")" for joint in self.percept.history)
        now = " ".join(f"{role}:{self._table.moves[role][move]}" for role, move in sorted(self.chosen.items()))
        return f"{rounds} {now}".strip()


class Observer:
    """The observation of a player, as text and as numbers.

    With perfect recall: the whole view, one row per round (own move, percepts, 1). Without: the last round only.
    """

    def __init__(self, table: Table, about: Any, params: Any) -> None:
        if params:
            raise ValueError(f"percept supports no parameters of observers, but got {params}")
        self._table, self._remembers = table, about.perfect_recall
        players, actions, row = len(table.players), table.actions, table.round_size
        rounds = (table.max_rounds, row) if self._remembers and table.remembers else (row,)
        shapes = {"player": (players,), "chosen": (actions,), "view": rounds}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, np.ndarray] = {}
        at = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: State, player: int) -> None:
        self.tensor.fill(0)
        role = self._table.players[player]
        self.dict["player"][player] = 1
        if role in state.chosen and len(state._legal[role]) > 1:
            self.dict["chosen"][state.chosen[role]] = 1
        view = state.percept.view(role)
        if self.dict["view"].ndim == 2:
            self._table.write_view(self.dict["view"].reshape(-1), view)
        elif len(view):
            self._table.write_round(self.dict["view"], *view.ids()[-1])

    def string_from(self, state: State, player: int) -> str:
        if self._remembers:
            return state.view_string(player)
        role = self._table.players[player]
        last = " ".join(state.percept.percepts(role))
        return f"{role} after round {state.percept.round}: {last}"


pyspiel.register_game(_game_type(), Game)
