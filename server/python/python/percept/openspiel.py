"""Described games as games of OpenSpiel.

`load(path)` returns a `pyspiel.Game` with everything that OpenSpiel asks of games of imperfect information: chance nodes,
simultaneous nodes, information states as strings and tensors, and `resample_from_infostate`.

A round of a description becomes: each role that moves by chance, then the players, at one simultaneous node or one after
the other (none sees what was chosen earlier in the round). A role with only one move makes it unasked.
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

    `simultaneous`: whether roles that choose in the same round do so at a simultaneous node (else one after the other,
    without seeing each other's choice; what many of OpenSpiel's algorithms want). Left out: where random play meets such
    rounds. `max_rounds`: matches are cut off there; left out, the proved bound, or 1000 where none is. Returns are
    `(goal - zero) / unit`.
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
    # Read once here, so that what is wrong with it is raised as it is: OpenSpiel would end the process.
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
    """A game with what was found out about it, once: OpenSpiel makes games anew whenever it reads states back."""
    del stamp
    table = Table(percept.load(path, domain=domain or None), max_rounds)
    return table, _meets_simultaneous(table), _constant_sum(table)


def _meets_simultaneous(table: Table) -> bool:
    """Whether random play comes upon a round in which two players have a choice."""
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
    """What the players' goals always add up to, where that is certain: the whole tree was looked at."""
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
    # Goals lie on one line; two points on it with the same sum tell its slope, and so all sums.
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
    """A match of a described game, inside of a round or between two."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._table = game.table
        self._is_simultaneous = game.is_simultaneous
        self._zero, self._unit = game.zero, game.unit
        self.percept = game.table.game.initial()
        """The state at the beginning of this round."""
        self.chosen: dict[str, int] = {}
        """Numbers of the moves chosen in this round so far, by role."""
        self._legal: dict[str, list[int]] = {}
        self._next: list[str] = []
        self._begin_round()

    # The rounds of the description.

    def _begin_round(self) -> None:
        """Goes to the next round in which somebody has a choice."""
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

    # What OpenSpiel asks.

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
        # A match that was cut off, or that the rules give no goal, is worth the least.
        least = self._table.least
        worth = (goals[role] for role in self._table.players)
        return [((least if goal is None else goal) - self._zero) / self._unit for goal in worth]

    def view_string(self, player: int) -> str:
        """What a player knows; two states have the same exactly where it cannot tell them apart."""
        role = self._table.players[player]
        text = str(self.percept.view(role))
        chosen = self.chosen.get(role) if len(self._legal.get(role, ())) > 1 else None
        return text if chosen is None or self.is_terminal() else f"{text} now {self._table.moves[role][chosen]}"

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float]) -> State:
        """A state that the player cannot tell from this one, as likely as chance and uniform opponents make it.

        Whoever is asked for a move knows that it is asked: matches that are over are none of the states.
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
        # In this round, what the player chose stands; what others chose is open.
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
    """What a player sees, as text and as numbers.

    With perfect recall: the whole view, a row per round (own move, percepts, 1). Without: the last round only.
    """

    def __init__(self, table: Table, about: Any, params: Any) -> None:
        if params:
            raise ValueError(f"percept knows no parameters of observers, but got {params}")
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
