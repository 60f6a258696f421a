"""What objects show of themselves, at the prompt and in a notebook."""

import html.parser
import re
import signal
import time

import percept
import pytest

EMPTY = {"meta", "br", "meter", "line", "circle", "rect", "polyline"}


class Checker(html.parser.HTMLParser):
    """Reads HTML whose tags have to match."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open and self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.text += data + " "


def text(shown):
    """The text of HTML that is well formed and needs nothing from elsewhere."""
    assert not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)|<link|@import", shown)
    checker = Checker()
    checker.feed(shown)
    assert checker.open == []
    return " ".join(checker.text.split())


@pytest.fixture
def kuhn(games):
    return percept.load(games / "kuhn-poker" / "kuhn-poker.kif")


@pytest.fixture
def bomb(games):
    game = percept.load(games / "exploding-bomb" / "exploding-bomb.kif")
    state = game.initial()
    for joint in ({"random": "(arm red)", "agent": "noop"}, {"agent": "noop"}, {"agent": "(cut blue)"}):
        state.step(joint)
    return state


def test_a_state_is_its_board(kuhn, games):
    state = kuhn.initial()
    state.step({"random": "(deal 1 2)"})
    assert repr(state).splitlines() == [
        "kuhn-poker after round 1",
        "holds",
        "p1 [1]",
        "p2 [2]",
        "phase: (phase first)",
        "p1 may: bet, pass",
    ]
    said = text(state._repr_html_())
    assert "kuhn-poker after round 1 holds p1 1 p2 2 (phase first)" in said and "p1 (card 1) bet, pass" in said
    board = percept.load(games / "tic-tac-toe" / "tic-tac-toe.kif").initial()
    assert len(repr(board).splitlines()) < 12 and "<table class=\"board\">" in board._repr_html_()


def test_the_eyes_of_a_role_see_only_its_knowledge(kuhn):
    one, other = kuhn.initial(), kuhn.initial()
    one.step({"random": "(deal 1 2)"})
    other.step({"random": "(deal 1 3)"})
    shown = one.view("p1")._repr_html_()
    assert shown == other.view("p1")._repr_html_() and one._repr_html_() != other._repr_html_()
    said = text(shown)
    assert "Knowledge of p1 after round 1" in said and "2 50 % 3 50 %" in said and "2 histories fit" in said
    belief = one.view("p1").belief()
    assert belief == dict(belief) and "2 50 % 3 50 %" in text(belief._repr_html_())
    members = one.view("p1").members()
    assert "2 histories in 2 states" in text(members._repr_html_())
    assert "(deal 1 3)" in text(members[1]._repr_html_()) + text(members[0]._repr_html_())


def test_verdicts_have_the_signs_and_both_histories(bomb):
    verdicts = bomb.verdicts()
    assert isinstance(verdicts, list)
    said = text(verdicts._repr_html_())
    assert "agent the goal ✓ ✓ ✓ ✗" in said
    assert "✗ agent does not know its goal after round 3" in said
    assert "agent does and sees the same in A, this match, and B" in said
    assert "A (arm red) | B (arm blue)" in said and "After round 3, what differs marked" in said
    proofs = bomb.game.prove("agent")
    said = text(proofs._repr_html_())
    assert "the goal ✗ not after 3 rounds" in said and "legal moves ✓ proved, checked" in said
    assert "agent does not always know its goal" in said and "<mark>" in proofs._repr_html_()


def test_values_worth_and_coverage_are_tables(kuhn, bomb):
    assert "p1 875/18 48.611111" in text(kuhn.solve()._repr_html_())
    assert "(sees agent ?wire) 46 agent 40" in text(bomb.game.worth()._repr_html_())
    coverage = kuhn.coverage(100, seed=1)
    assert coverage.matches == 100 and "all 32 rules fired" in coverage.says and coverage.says in repr(coverage)
    assert "(third-needed)" in text(coverage._repr_html_()) or "third-needed" in text(coverage._repr_html_())
    assert sum(it.count for it in coverage.percepts if it.role == "p1" and it.percept.startswith("(card")) == 100
    assert kuhn.coverage(100, seed=1).says == coverage.says


def test_a_solution_shows_its_curve(kuhn, tmp_path):
    solution = kuhn.solve(method="cfr+", target=0.01)
    curve = solution.curve
    assert curve[0].iterations == 1 and curve[-1].iterations == solution.iterations
    assert curve[-1].exploitability == solution.exploitability <= 0.01 < curve[0].exploitability
    assert all(one.seconds <= other.seconds for one, other in zip(curve, curve[1:]))
    assert curve._repr_html_().count("<circle") == solution._repr_html_().count("<circle") == len(curve) > 10
    said = text(solution._repr_html_())
    assert "Exploitability over time" in said and f"{solution.iterations} iterations" in said
    curve.save(tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").read_text() == curve.svg and curve.svg.startswith("<svg")
    exact = kuhn.solve()
    assert "<svg" not in exact._repr_html_() and "no curve" in text(exact.curve._repr_html_())


def test_a_tree_has_an_oval_for_each_set(kuhn, tmp_path):
    tree = kuhn.tree()
    # OpenSpiel's Kuhn poker has 54 decisions and ends below its two deals; ours deals at once.
    assert (len(tree), tree.sets, tree.complete) == (55, 12, True)
    assert tree.svg.count('class="set"') == 12 and tree.svg.count("stroke-dasharray") == 12
    said = text(tree._repr_html_())
    assert said.count("1/6") == 6 and "(deal 1 2)" in said
    short = kuhn.tree(1)
    assert len(short) == 7 and not short.complete and "…" in short.svg
    solved = kuhn.tree(solution=kuhn.solve())
    assert "1/3" in solved.svg and "1/3" not in tree.svg
    solved.save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text() == solved.svg
    with pytest.raises(percept.TooLargeError, match="depth"):
        percept.parse(WIDE).tree()


WIDE = """(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(move a) (move b) (move c) (move d) (move e) (move f)
(<= (legal r ?m) (move ?m))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= terminal (true (at 5)))
(<= (goal r 0) (true (at 5)))
"""


def test_names_cannot_act():
    game = percept.parse('(role r) (init (at <script>)) (<= (legal r "<b>") (true (at <script>))) (goal r 0) (terminal)'.replace('"', ""))
    shown = game.initial()._repr_html_()
    assert "<script" not in shown and "<b>" not in shown.replace("<b>game", "") and "&lt;script&gt;" in shown
    assert "<script" not in game.tree().svg


def test_tables_become_data_frames(kuhn, bomb):
    pandas = pytest.importorskip("pandas")
    frames = [
        bomb.verdicts().to_pandas(),
        bomb.game.prove().to_pandas(),
        bomb.game.worth().to_pandas(),
        bomb.view("agent").members().to_pandas(),
        bomb.view("agent").belief().to_pandas(),
        kuhn.solve().to_pandas(),
        kuhn.solve(method="cfr+", target=1).curve.to_pandas(),
        kuhn.evaluate().to_pandas(),
        kuhn.coverage(10).rules.to_pandas(),
        kuhn.coverage(10).percepts.to_pandas(),
        kuhn.play(10).to_pandas(),
        kuhn.findings().to_pandas(),
    ]
    assert all(isinstance(frame, pandas.DataFrame) for frame in frames)
    assert all(len(frame) for frame in frames[:-1])
    assert list(frames[0].columns)[:4] == ["role", "round", "property", "verdict"]
    assert list(frames[10].columns) == ["rounds", "terminal", "goal p1", "goal p2", "goal random"]
    assert (frames[10]["goal p1"] + frames[10]["goal p2"] == 100).all()


LONG = [
    lambda game: game.prove(time=60),
    lambda game: game.solve(time=60),
    lambda game: game.worth(time=60),
    lambda game: game.play(10**7),
    lambda game: game.coverage(10**9, time=60),
    lambda game: game.efg(nodes=10**9, time=60),
    lambda game: game.initial().view("white").members(10**7, sample="probability", time=60),
    lambda game: [game.batch(1 << 14).step(game.batch(1 << 14).random_moves()) for _ in range(10**6)],
]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that interrupts")
@pytest.mark.parametrize("number", range(len(LONG)))
def test_ctrl_c_stops_long_calls(games, number):
    """A signal does what Ctrl-C does."""

    def interrupt(_signal, _frame):
        raise KeyboardInterrupt

    game = percept.load(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")
    before = signal.signal(signal.SIGALRM, interrupt)
    begin = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            while time.perf_counter() - begin < 10:
                LONG[number](game)
        # Half a second, and a little for a busy machine.
        assert time.perf_counter() - begin < 0.5 + 0.5 + 0.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
