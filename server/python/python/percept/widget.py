"""A match to step through in a notebook, by clicks: needs anywidget (`pip install anywidget`).

>>> import percept.widget
>>> percept.widget.stepper(game)                                        # doctest: +SKIP
"""

from __future__ import annotations

import pathlib
import random
from collections.abc import Mapping
from typing import Any

try:
    import anywidget  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import traitlets  # type: ignore[import-not-found, import-untyped, unused-ignore]
except ImportError as error:
    raise ImportError("percept.widget needs anywidget: pip install anywidget") from error

import percept

EVERYBODY = ""
"""The eyes that see everything."""


def stepper(match: percept.Game | percept.State, *, eyes: str = EVERYBODY, seed: int = 0) -> Stepper:
    """Shows a match with buttons for the legal moves, from the beginning of a game or from a state on.

    `eyes`: the role whose knowledge is shown, which then makes only its own moves, while the others move at random. By
    default everything is shown, and all roles are moved by hand. `seed`: of random moves.
    """
    state = match.initial() if isinstance(match, percept.Game) else match.clone()
    return Stepper(state, eyes, seed)


class Stepper(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """The widget. Its traits are what the page shows; `ask` is what the page asks for."""

    _esm = pathlib.Path(__file__).with_name("stepper.js")
    _css = pathlib.Path(__file__).with_name("stepper.css")

    html = traitlets.Unicode().tag(sync=True)
    eyes = traitlets.Unicode().tag(sync=True)
    roles = traitlets.List(traitlets.Unicode()).tag(sync=True)
    choices: traitlets.List[Any] = traitlets.List(traitlets.Any()).tag(sync=True)
    """Pairs of a role and its legal moves."""
    chosen: traitlets.Dict[str, str] = traitlets.Dict().tag(sync=True)
    """The moves of this round so far, by role."""
    past = traitlets.Int(0).tag(sync=True)
    """The number of rounds that can be undone."""
    said = traitlets.Unicode().tag(sync=True)
    ask: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    """`do` is `move` (with `role` and `move`), `random`, `undo` or `restart`."""

    def __init__(self, state: percept.State, eyes: str, seed: int) -> None:
        super().__init__()
        self._states = [state]
        self._numbers = random.Random(seed)
        self.roles = list(state.game.players)
        self.eyes = eyes
        self._show()

    @property
    def state(self) -> percept.State:
        """A copy of the state that is shown."""
        return self._states[-1].clone()

    @traitlets.validate("eyes")  # type: ignore[misc, unused-ignore]
    def _known(self, proposal: Mapping[str, Any]) -> str:
        eyes = str(proposal["value"])
        if eyes != EVERYBODY and eyes not in self.roles:
            raise traitlets.TraitError(f"`{eyes}` is not a player; the players are {', '.join(self.roles)}")
        return eyes

    @traitlets.observe("eyes")  # type: ignore[misc, unused-ignore]
    def _look(self, _change: object) -> None:
        self.chosen = {}
        self._show()

    @traitlets.observe("ask")  # type: ignore[misc, unused-ignore]
    def _obey(self, change: Mapping[str, Any]) -> None:
        asked: dict[str, Any] = change["new"]
        self.said = ""
        try:
            match asked.get("do"):
                case "move":
                    self._choose(str(asked.get("role")), str(asked.get("move")))
                case "random":
                    self._step(dict(self.chosen))
                case "undo" if len(self._states) > 1:
                    self._states.pop()
                case "restart":
                    del self._states[1:]
                case _:
                    pass
        except percept.PerceptError as error:
            self.said = str(error)
        if asked.get("do") != "move":
            self.chosen = {}
        self._show()

    def _choose(self, role: str, move: str) -> None:
        """Makes a move of one role. The round is played when every role has moved, or when the eyes have."""
        chosen = {**self.chosen, role: move}
        open_roles = [who for who, moves in self.choices if len(moves) > 1 and who not in chosen]
        if open_roles:
            self.chosen = chosen
        else:
            self.chosen = {}
            self._step(chosen)

    def _step(self, chosen: dict[str, str]) -> None:
        state = self._states[-1]
        if state.is_terminal:
            return
        after = state.clone()
        others = (role for role in state.game.roles if role not in chosen)
        after.step({**chosen, **{role: self._numbers.choice(state.legal(role)) for role in others}})
        self._states.append(after)

    def _show(self) -> None:
        if not hasattr(self, "_states"):
            return
        state = self._states[-1]
        movers = [self.eyes] if self.eyes else state.game.roles
        legal = [(role, state.legal(role)) for role in movers]
        # A role that can only wait needs no button, unless it is the one that plays.
        self.choices = [[role, moves] for role, moves in legal if self.eyes or len(moves) > 1]
        self.past = len(self._states) - 1
        self.html = state.view(self.eyes)._repr_html_() if self.eyes else state._repr_html_()
