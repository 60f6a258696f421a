"""Games of incomplete information described in GDL-II and POGDDL: play, know, prove, solve.

>>> import percept
>>> game = percept.load("games/kuhn-poker/kuhn-poker.kif")          # doctest: +SKIP
>>> game.solve().exact                                              # doctest: +SKIP
{'p1': Fraction(875, 18), 'p2': Fraction(925, 18)}
"""

from percept._percept import (
    Batch,
    Coverage,
    CoveredPercept,
    CoveredRule,
    Decision,
    Evaluation,
    Finding,
    Game,
    Matches,
    Member,
    Members,
    PerceptWorth,
    Proof,
    Solution,
    State,
    TreePicture,
    Verdict,
    View,
    load,
    parse,
)
from percept.errors import (
    GameError,
    IllegalMoveError,
    InternalError,
    LoadError,
    PerceptError,
    TooLargeError,
    TraceError,
    UnknownNameError,
    UnsolvableError,
)
from percept.tables import Belief

__all__ = [
    "Batch",
    "Belief",
    "Coverage",
    "CoveredPercept",
    "CoveredRule",
    "Decision",
    "Evaluation",
    "Finding",
    "Game",
    "GameError",
    "IllegalMoveError",
    "InternalError",
    "LoadError",
    "Matches",
    "Member",
    "Members",
    "PerceptError",
    "PerceptWorth",
    "Proof",
    "Solution",
    "State",
    "TooLargeError",
    "TraceError",
    "TreePicture",
    "UnknownNameError",
    "UnsolvableError",
    "Verdict",
    "View",
    "load",
    "parse",
]
