"""The exceptions of the package. All are :class:`PerceptError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from percept import Finding


class PerceptError(Exception):
    """The base class of all exceptions of percept."""


class LoadError(PerceptError):
    """A file that cannot be read, or a domain that was not found."""


class GameError(PerceptError):
    """A text that is not a game."""

    findings: list[Finding]
    """The errors with their places: at least one, unless the file contains something other than a game."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = list(findings)


class IllegalMoveError(PerceptError):
    """A move that cannot be made."""

    role: str | None
    """The role of the move; ``None`` if the error does not concern one role."""
    move: str | None
    legal: list[str]
    """The legal moves of the role."""
    round: int | None
    """The number of the round, from 1."""

    def __init__(
        self,
        message: str,
        role: str | None = None,
        move: str | None = None,
        legal: Sequence[str] = (),
        round: int | None = None,
    ) -> None:
        super().__init__(message)
        self.role, self.move, self.legal, self.round = role, move, list(legal), round


class TraceError(PerceptError):
    """A text that is not a trace of the game."""

    round: int
    """The number of the wrong round, from 1; 0 if the error is not in a round."""

    def __init__(self, message: str, round: int = 0) -> None:
        super().__init__(message)
        self.round = round


class UnknownNameError(PerceptError):
    """A role, move or percept that the game does not have."""

    name: str

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


class TooLargeError(PerceptError):
    """A computation that exceeds the limits of time, memory or size."""


class UnsolvableError(PerceptError):
    """A game that has no values here: too large, endless, or with a role that does not know its moves."""


class InternalError(PerceptError):
    """A bug in percept itself."""
