"""The knowledge of a role as an array of zeros and ones: one encoding for all adapters and learners.

A view is an array with a row for each round. A row has a column for each move of the role (1: the role's own move, if it
knows it), a column for each percept (1: perceived in this round), and a last column that is 1 if the round was played.

>>> from percept.encoding import Encoding                              # doctest: +SKIP
>>> Encoding(game, "p1").encode(state.view("p1"))                      # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import percept

UNBOUNDED = 1000
"""The default number of rounds of a game without a known bound."""


@dataclass(frozen=True)
class Layout:
    """The shape of an array: rounds, and the widths of the two blocks of a row."""

    rounds: int
    moves: int
    percepts: int

    @property
    def row(self) -> int:
        """The width of a row."""
        return self.moves + self.percepts + 1

    def write_round(self, row: NDArray[np.float32], own: int | None, percepts: Sequence[int]) -> None:
        """Writes one round into a row of zeros."""
        if own is not None:
            row[own] = 1
        for percept_id in percepts:
            row[self.moves + percept_id] = 1
        row[-1] = 1

    def write_view(self, array: NDArray[np.float32], view: percept.View) -> None:
        """Writes a whole view into an array of zeros; rounds beyond the last row are left out."""
        for row, (own, percepts) in zip(array.reshape(self.rounds, self.row), view.ids()):
            self.write_round(row, own, percepts)


class Encoding:
    """The encoding of the views of one role of a game, for at most `rounds` rounds (by default the proved bound)."""

    def __init__(self, game: percept.Game, role: str | int, *, rounds: int | None = None) -> None:
        self.game, self.role = game, game.roles[role] if isinstance(role, int) else role
        self.moves, self.percepts = game.moves(role), game.percepts(role)
        self.layout = Layout(rounds or game.max_rounds() or UNBOUNDED, len(self.moves), len(self.percepts))

    @property
    def shape(self) -> tuple[int, int]:
        """Rounds and columns."""
        return self.layout.rounds, self.layout.row

    @property
    def columns(self) -> list[str]:
        """The meaning of each column: moves, percepts, and `played`. Keep it beside the weights of a network."""
        return [f"does {move}" for move in self.moves] + [f"sees {it}" for it in self.percepts] + ["played"]

    def encode(self, view: percept.View) -> NDArray[np.float32]:
        """The array of a view."""
        array = np.zeros(self.shape, np.float32)
        self.layout.write_view(array, view)
        return array

    def decode(self, array: NDArray[np.float32]) -> percept.View:
        """The view of an array."""
        rounds: list[tuple[str | None, list[str]]] = []
        for row in np.asarray(array).reshape(self.shape):
            if not row[-1]:
                break
            own = [move for move, bit in zip(self.moves, row) if bit]
            seen = [it for it, bit in zip(self.percepts, row[len(self.moves) :]) if bit]
            rounds.append((own[0] if own else None, seen))
        return self.game.view(self.role, rounds)

    def mask(self, moves: Sequence[int]) -> NDArray[np.int8]:
        """The action mask of moves given by their numbers (`State.legal_ids`, `Decision.ids`)."""
        mask = np.zeros(len(self.moves), np.int8)
        mask[list(moves)] = 1
        return mask
