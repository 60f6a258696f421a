"""The stepper of notebooks: the test sets the traits that the page sets."""

import itertools

import percept
import pytest

pytest.importorskip("anywidget")
import percept.widget  # noqa: E402
import traitlets  # noqa: E402

NUMBER = itertools.count()


def ask(widget, **what):
    """What a click does."""
    widget.set_state({"ask": {**what, "number": next(NUMBER)}})


@pytest.fixture
def kuhn(games):
    return percept.load(games / "kuhn-poker" / "kuhn-poker.kif")


def test_clicks_move_the_roles_and_undo(kuhn):
    widget = percept.widget.stepper(kuhn)
    assert [role for role, _ in widget.choices] == ["random"] and widget.past == 0
    ask(widget, do="move", role="random", move="(deal 1 2)")
    assert widget.choices == [["p1", ["bet", "pass"]]] and "after round 1" in widget.html
    assert widget.state.percepts("p1") == ["(card 1)"] and "(card 1)" in widget.html
    ask(widget, do="move", role="p1", move="bet")
    assert widget.past == 2 and [role for role, _ in widget.choices] == ["p2"]
    ask(widget, do="undo")
    assert widget.past == 1 and widget.state.history == [["noop", "noop", "(deal 1 2)"]]
    ask(widget, do="restart")
    assert widget.past == 0 and widget.state == kuhn.initial()
    ask(widget, do="undo")
    assert widget.past == 0


def test_a_round_waits_for_every_role(games):
    game = percept.load(games / "goofspiel" / "goofspiel-4.kif")
    widget = percept.widget.stepper(game)
    while len(widget.choices) < 2:
        ask(widget, do="random")
    past, choices = widget.past, widget.choices
    for at, (role, moves) in enumerate(choices):
        assert widget.past == past and widget.chosen == {who: legal[-1] for who, legal in choices[:at]}
        ask(widget, do="move", role=role, move=moves[-1])
    assert widget.past == past + 1 and widget.chosen == {}
    assert [widget.state.history[-1][game.roles.index(role)] for role, _ in choices] == [it[-1] for _, it in choices]


def test_the_eyes_of_a_role_see_only_its_knowledge(kuhn):
    seen = set()
    for seed in range(20):
        widget = percept.widget.stepper(kuhn, eyes="p1", seed=seed)
        assert widget.choices == [["p1", ["noop"]]]
        ask(widget, do="move", role="p1", move="noop")
        assert widget.state.view("p1")._repr_html_() == widget.html
        if widget.state.percepts("p1") == ["(card 1)"]:
            seen.add((widget.state.history[0][2], widget.html))
    # Two deals, which look the same.
    assert len(seen) == 2 and len({html for _, html in seen}) == 1
    widget.set_state({"eyes": ""})
    assert "kuhn-poker after round 1" in widget.html
    with pytest.raises(traitlets.TraitError, match="not a player"):
        widget.eyes = "p3"


def test_what_cannot_be_done_is_said(kuhn):
    widget = percept.widget.stepper(kuhn)
    ask(widget, do="move", role="random", move="(deal 1 1)")
    assert "(deal 1 1)" in widget.said and widget.past == 0
    ask(widget, do="move", role="random", move="(deal 1 2)")
    assert widget.said == "" and widget.past == 1
    for _ in range(20):
        ask(widget, do="random")
    assert widget.state.is_terminal and "the match is over" in widget.html and widget.choices == []


def test_a_state_is_not_changed_and_the_page_is_there(kuhn):
    state = kuhn.initial()
    state.step({"random": "(deal 1 2)"})
    widget = percept.widget.stepper(state)
    ask(widget, do="random")
    assert state.round == 1 and widget.state.round == 2
    assert "export default" in str(widget._esm) and "percept-stepper" in str(widget._css)
