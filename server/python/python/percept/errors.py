"""What goes wrong, as exceptions. All are :class:`PerceptError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from percept import Finding


class PerceptError(Exception):
    """Whatever percept complains of."""


class LoadError(PerceptError):
    """A file that cannot be read, or a domain that was not found."""


class GameError(PerceptError):
    """A text that is no game."""

    findings: list[Finding]
    """What is wrong, each at its place: at least one, unless the file holds something other than a game."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = list(findings)


class IllegalMoveError(PerceptError):
    """A move that cannot be made."""

    role: str | None
    """Whose move it was; ``None`` where that is not what is wrong."""
    move: str | None
    legal: list[str]
    """What could have been done."""
    round: int | None
    """From 1."""

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
    """A text that is no trace of the game."""

    round: int
    """The round that is wrong, from 1; 0 where it is none."""

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
    """What does not fit the limits of time, memory or size."""


class UnsolvableError(PerceptError):
    """A game that has no values here: too large, endless, or with a role that does not know its moves."""


class InternalError(PerceptError):
    """A mistake in percept itself."""
