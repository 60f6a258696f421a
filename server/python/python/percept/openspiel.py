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
import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

import percept
from percept._percept import Place, Turns
from percept._table import Table

_PARAMETERS: dict[str, Any] = {"path": "", "domain": "", "simultaneous": "auto", "max_rounds": 0, "zero": 0.0, "unit": 1.0}
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


class Game(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A described game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        asked: dict[str, Any] = _PARAMETERS | (params or {})
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
        self.turns = Turns(table.game, table.max_rounds, self.is_simultaneous, self.zero, self.unit, table.least)
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
        state = _new(State)
        _state(state, self)
        state.place, state._game = self.turns.root(), self
        return state

    # States hold their game; copies of states share it.
    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return pyspiel.load_game, (str(self),)

    def max_chance_nodes_in_history(self) -> int:
        return self.table.max_rounds * len(self.table.chance)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


# Functions of OpenSpiel that are called for every state and every step.
_record = pyspiel.State.apply_action
_state = pyspiel.State.__init__
_SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)


class State(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A match of a described game, within a round or between two rounds.

    What Python calls is answered here, without OpenSpiel's detour through C++ and back. Steps made by Python are entered
    in OpenSpiel's own record when it is needed, at the latest before OpenSpiel makes a step itself.
    """

    place: Place
    _game: Game

    def __init__(self, game: Game) -> None:
        _state(self, game)
        self.place, self._game = game.turns.root(), game

    def _catch_up(self) -> None:
        """Enters the steps that OpenSpiel's record lacks."""
        place = self.place
        if place.repeating or not place.behind:
            return
        place.repeating = True
        try:
            while place.behind:
                _record(self, place.missing()[1])
                place.recorded(1)
        finally:
            place.repeating = False

    # What Python asks.

    def current_player(self) -> int:
        return self.place.player

    def is_terminal(self) -> bool:
        return self.place.is_terminal

    def is_chance_node(self) -> bool:
        return self.place.is_chance

    def is_simultaneous_node(self) -> bool:
        return self.place.player == _SIMULTANEOUS

    def is_player_node(self) -> bool:
        return self.place.player >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        if player is None:
            legal = self.place.legal()
            if legal is not None:
                return legal
        elif player >= 0:
            return self.place.legal_of(player)
        actions: list[int] = super().legal_actions(*(() if player is None else (player,)))
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.place.outcomes()

    def apply_action(self, action: int) -> None:
        self.place.apply(action)

    def information_state_string(self, player: int | None = None) -> str:
        return self.place.knowledge(player)

    def returns(self) -> list[float]:
        return self.place.returns()

    def clone(self) -> State:
        other = _new(State)
        game = self._game
        _state(other, game)
        other.place, other._game = self.place.copy(), game
        return other

    def child(self, action: int) -> State:
        other = self.clone()
        other.place.apply(action)
        return other

    def history(self) -> list[int]:
        return self.place.history()

    def full_history(self) -> Any:
        self._catch_up()
        return super().full_history()

    def history_str(self) -> str:
        return ", ".join(map(str, self.place.history()))

    def move_number(self) -> int:
        self._catch_up()
        number: int = super().move_number()
        return number

    def is_initial_state(self) -> bool:
        return not self.place.history()

    def serialize(self) -> str:
        self._catch_up()
        text: str = super().serialize()
        return text

    # What OpenSpiel asks.

    def _legal_actions(self, player: int) -> list[int]:
        return self.place.legal_of(player)

    def _apply_action(self, action: int) -> None:
        place = self.place
        if place.repeating:
            return
        self._catch_up()
        place.apply(action)
        place.recorded(1)

    def _apply_actions(self, actions: Iterable[int]) -> None:
        self._catch_up()
        self.place.apply_all(list(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self._table.moves[self._table.players[player]][action]
        waiting = self.place.waiting
        role = waiting[0] if waiting and waiting[0] in self._table.chance else self._table.chance[0]
        return self._table.moves[role][action]

    # The description's rounds.

    @property
    def _table(self) -> Table:
        return self._game.table

    @property
    def percept(self) -> percept.State:
        """The state at the beginning of this round."""
        return self.place.state()

    @property
    def chosen(self) -> dict[str, int]:
        """The numbers of the moves chosen in this round so far, by role."""
        return self.place.chosen()

    def view_string(self, player: int) -> str:
        """The knowledge of a player; equal for exactly the states that it cannot distinguish."""
        return self.place.knowledge(player)

    def _play_round(self, moves: list[int]) -> None:
        """Plays a whole round of the description, given the number of each role's move."""
        joint = dict(zip(self._table.game.roles, moves))
        before = self.place.round
        while not self.is_terminal() and self.place.round == before:
            if self.is_simultaneous_node():
                self.apply_actions([joint[role] for role in self._table.players])
            else:
                self.apply_action(joint[self.place.waiting[0]])

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
        other: State = self.get_game().new_initial_state()
        for joint in sampled.history:
            other._play_round(
                [self._table.numbers[name][move] for name, move in zip(self._table.game.roles, joint)]
            )
        # In this round, the player's own choice is kept; the others choose again.
        waiting, chosen = set(self.place.waiting), self.chosen
        while not other.is_terminal() and other.place.waiting[0] not in waiting:
            acting = other.place.waiting[0]
            legal = other.place.options(acting)
            known = chosen.get(acting) if acting == role else None
            other.apply_action(legal[int(rng() * len(legal))] if known is None else known)
        return other

    def __str__(self) -> str:
        rounds = " ".join("(" + " ".join(joint) + ")" for joint in self.percept.history)
        now = " ".join(f"{role}:{self._table.moves[role][move]}" for role, move in sorted(self.chosen.items()))
        return f"{rounds} {now}".strip()


_new = State.__new__


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
        chosen = state.chosen.get(role)
        if chosen is not None and len(state.place.options(role)) > 1:
            self.dict["chosen"][chosen] = 1
        view = state.percept.view(role)
        if self.dict["view"].ndim == 2:
            self._table.layout.write_view(self.dict["view"].reshape(-1), view)
        elif len(view):
            self._table.layout.write_round(self.dict["view"], *view.ids()[-1])

    def string_from(self, state: State, player: int) -> str:
        if self._remembers:
            return state.view_string(player)
        role = self._table.players[player]
        last = " ".join(state.percept.percepts(role))
        return f"{role} after round {state.percept.round}: {last}"


pyspiel.register_game(_game_type(), Game)
