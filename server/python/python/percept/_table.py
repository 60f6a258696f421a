"""The data of a game that adapters compute once: numbers of moves and percepts, sizes of arrays, bounds."""

from __future__ import annotations

from typing import Any

import percept
from percept.encoding import UNBOUNDED, Layout

LARGEST_ARRAY = 1 << 20
"""The largest number of items of an array of a whole view; larger views are cut to the last round."""


class Table:
    """A game with its sizes."""

    def __init__(self, game: percept.Game, max_rounds: int = 0) -> None:
        self.game = game
        self.players = game.players
        self.chance = game.chance
        self.moves = {role: game.moves(role) for role in game.roles}
        self.numbers = {role: {move: at for at, move in enumerate(moves)} for role, moves in self.moves.items()}
        self.percepts = {role: game.percepts(role) for role in game.roles}
        bound = game.max_rounds()
        self.max_rounds = max_rounds or bound or UNBOUNDED
        self.is_bounded = bound is not None and bound <= self.max_rounds
        ranges = [game.goal_range(role) or (0, 100) for role in self.players]
        self.least = min((low for low, _ in ranges), default=0)
        self.greatest = max((high for _, high in ranges), default=100)
        self.actions = max((len(self.moves[role]) for role in self.players), default=1)
        self.outcomes = max((len(self.moves[role]) for role in self.chance), default=0)
        self.widest_percepts = max((len(self.percepts[role]) for role in self.players), default=0)
        # The widths of the widest player: arrays of all players have the same shape.
        self.layout = Layout(self.max_rounds, self.actions, self.widest_percepts)
        self.round_size = self.layout.row
        self.view_size = self.max_rounds * self.round_size
        self.remembers = self.view_size <= LARGEST_ARRAY

    # States hold a table; copies of states share it.
    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: Any) -> Table:
        return self
