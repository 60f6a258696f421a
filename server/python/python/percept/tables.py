"""Lists and dicts that show themselves as tables in a notebook, and become data frames of pandas."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Iterable, NamedTuple, Sequence, TypeVar

from percept._percept import (
    CoveredPercept,
    CoveredRule,
    Evaluation,
    Finding,
    PerceptWorth,
    Proof,
    Verdict,
    curve_pictures,
    html_escape,
    html_page,
)

if TYPE_CHECKING:
    import pandas  # type: ignore[import-not-found, import-untyped, unused-ignore]

    from percept._percept import View

T = TypeVar("T")

SHOWN = 100
"""The most rows of a table in a notebook."""
PAIRS = 3
"""The most pairs of histories below a table."""
_SIGNS = {"known": "✓", "proved": "✓", "unknown": "✗", "refuted": "✗"}
_HEADINGS = {"legal": "legal moves", "terminal": "the end", "goal": "the goal", "own": "own moves"}


def frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> pandas.DataFrame:
    """A data frame of pandas, which has to be installed."""
    import pandas

    return pandas.DataFrame([list(row) for row in rows], columns=list(columns))


def _html(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; its texts are not HTML yet."""
    heads = "".join(f'<th scope="col">{html_escape(column)}</th>' for column in columns)
    lines = ("".join(f"<td>{html_escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<table class="rows"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Rows(list[T], Generic[T]):
    """A list of objects with the same attributes."""

    columns: ClassVar[tuple[str, ...]] = ()

    def to_pandas(self) -> pandas.DataFrame:
        """The objects as rows of a `pandas.DataFrame`."""
        return frame(([getattr(it, name) for name in self.columns] for it in self), self.columns)

    def _table(self) -> str:
        rows = ([_text(getattr(it, name)) for name in self.columns] for it in self[:SHOWN])
        more = f'<p class="quiet">and {len(self) - SHOWN} more</p>' if len(self) > SHOWN else ""
        return _html(self.columns, rows) + more

    def _repr_html_(self) -> str:
        return html_page(self._table())


class Findings(Rows[Finding]):
    columns = ("severity", "rule", "file", "line", "column", "message")

    def __str__(self) -> str:
        return "\n".join(map(str, self))


class Worths(Rows[PerceptWorth]):
    columns = ("says", "line", "role", "worth", "value", "without", "only", "public")


class Evaluated(Rows[Evaluation]):
    """The values of given strategies to each role."""

    columns = ("role", "value", "best", "gain", "sets")

    @property
    def exploitability(self) -> float:
        """The average gain of a best response."""
        return sum(it.gain for it in self) / len(self)


class CurvePoint(NamedTuple):
    """A point on the way to a solution."""

    iterations: int
    seconds: float
    exploitability: float


class Curve(Rows[CurvePoint]):
    """The exploitability on the way to a solution."""

    columns = CurvePoint._fields

    def __init__(self, points: Iterable[tuple[int, float, float]] = ()) -> None:
        super().__init__(CurvePoint(*point) for point in points)

    @property
    def svg(self) -> str | None:
        """The picture; `None` if there are less than two points."""
        return curve_pictures(self)[0]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture into a file."""
        if (svg := self.svg) is None:
            raise ValueError("a curve has at least two points")
        pathlib.Path(path).write_text(svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        return curve_pictures(self)[1]


class CoveredRules(Rows[CoveredRule]):
    columns = ("line", "head", "fired", "stuck")


class CoveredPercepts(Rows[CoveredPercept]):
    columns = ("role", "percept", "count")


class Verdicts(Rows[Verdict]):
    """The knowledge of roles after each round of a match."""

    columns = ("role", "round", "property", "verdict", "method", "checked")

    def _table(self) -> str:
        rounds = sorted({it.round for it in self})
        signs = {(it.role, it.property, it.round): _SIGNS.get(it.verdict, "?") for it in self}
        asked = dict.fromkeys((it.role, it.property) for it in self)
        rows = ([role, _HEADINGS[about], *(signs.get((role, about, at), "") for at in rounds)] for role, about in asked)
        return _html(["role", "after round", *map(str, rounds)], rows)

    def _repr_html_(self) -> str:
        lacking = [it for it in self if it.verdict == "unknown"]
        points = "1 point" if len(lacking) == 1 else f"{len(lacking)} points"
        says = (
            f'<p class="bad">At {points} of this match a role lacks required knowledge.</p>'
            if lacking
            else '<p class="good">No problem was found in this match.</p>'
        )
        return html_page(says + self._table()) + "".join(it._repr_html_() for it in lacking[:PAIRS])


class Proofs(Rows[Proof]):
    """The knowledge of roles in every match."""

    columns = ("role", "property", "verdict", "method", "checked", "depth", "seconds")

    def _table(self) -> str:
        rows = ([it.role, _HEADINGS[it.property], f"{_SIGNS.get(it.verdict, '?')} {_said(it)}"] for it in self)
        return _html(("role", "knows", "in every match"), rows)

    def _repr_html_(self) -> str:
        refuted = [it for it in self if it.verdict == "refuted"]
        return html_page(self._table()) + "".join(it._repr_html_() for it in refuted[:PAIRS])


def _said(proof: Proof) -> str:
    if proof.verdict == "proved":
        return "proved, checked" if proof.checked else f"proved, unchecked: {proof.unchecked or ''}"
    rounds = "1 round" if proof.depth == 1 else f"{proof.depth} rounds"
    return f"not after {rounds}" if proof.verdict == "refuted" else f"undecided; no pair of up to {rounds}"


class Belief(dict[str, float]):
    """The probability of each fact, for a role at a view."""

    view: View

    def __init__(self, shares: dict[str, float], view: View) -> None:
        super().__init__(shares)
        self.view = view

    def to_pandas(self) -> pandas.DataFrame:
        """The facts as rows of a `pandas.DataFrame`, the most likely first."""
        return frame(sorted(self.items(), key=lambda it: -it[1]), ("fact", "probability"))

    def _repr_html_(self) -> str:
        return self.view._shades(self)
