"""The encoding of views, matches of policies, values of learned strategies, and memory that is shared."""

import ctypes
import importlib.util
import subprocess
import sys

import percept
import pytest

np = pytest.importorskip("numpy")
from percept.encoding import Encoding  # noqa: E402
from percept.selfplay import Seats, play  # noqa: E402

NAMES = ["kuhn-poker/kuhn-poker.kif", "blind-tic-tac-toe/blind-tic-tac-toe.kif", "poker/king-and-jack.pog"]


@pytest.mark.parametrize("name", NAMES)
def test_an_array_is_a_view(games, name):
    game = percept.load(games / name)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        state = game.initial()
        while not state.is_terminal:
            state.step_ids([int(rng.choice(state.legal_ids(role))) for role in game.roles])
            for role in game.players:
                encoding = Encoding(game, role)
                array = encoding.encode(state.view(role))
                assert array.shape == encoding.shape and array.dtype == np.float32
                assert set(np.unique(array)) <= {0, 1} and array[:, -1].sum() == min(state.round, len(array))
                assert encoding.decode(array) == state.view(role)


def test_the_columns_are_these(games):
    """Weights of networks are kept for years: a change of this order needs a note in the changelog."""
    kuhn = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    assert Encoding(kuhn, "p1").shape == (4, 13)
    assert Encoding(kuhn, "p1").columns == COLUMNS
    elsewhere = "import percept, percept.encoding as it; import sys; print(it.Encoding(percept.load(sys.argv[1]), 1).columns)"
    run = subprocess.run([sys.executable, "-c", elsewhere, games / NAMES[1]], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(Encoding(percept.load(games / NAMES[1]), 1).columns)


COLUMNS = ["does bet", "does noop", "does pass", "sees (card 1)", "sees (card 2)", "sees (card 3)", "sees (did p1 bet)",
           "sees (did p1 noop)", "sees (did p1 pass)", "sees (did p2 bet)", "sees (did p2 noop)", "sees (did p2 pass)",
           "played"]


@pytest.mark.parametrize("name", NAMES)
def test_seats_see_what_the_states_of_their_matches_tell(games, name):
    game = percept.load(games / name)
    seats = Seats(game, 6, seed=3)
    states = [game.initial() for _ in range(6)]
    rng = np.random.default_rng(1)
    while not seats.over.all():
        chosen = {}
        for role in game.players:
            seen, mask = seats.observe(role)
            for at, state in enumerate(states):
                if not state.is_terminal:
                    assert sorted(np.flatnonzero(mask[at])) == sorted(state.legal_ids(role))
                assert (seen[at] == seats.encodings[role].encode(state.view(role))).all()
            chosen[role] = [int(rng.choice(np.flatnonzero(row))) if row.any() else 0 for row in mask]
        before = [row.copy() for row in seats._seen[game.players[0]]]
        seats.step(chosen)
        for at, state in enumerate(states):
            if state.is_terminal:
                assert (before[at] == seats._seen[game.players[0]][at]).all()
            else:
                follow(seats, state, at, chosen)
    for role in game.players:
        assert [int(it) for it in seats.goals(role)] == [state.goals()[role] for state in states]
    assert seats.restart().all() and not seats.over.any()


def follow(seats, state, at, chosen):
    """Makes the move of one match of the seats; that of chance is the one that leads to what was seen."""
    game = state.game
    chance = [role for role in game.roles if role not in game.players]
    options = [state.legal_ids(role) for role in chance]
    for number in np.ndindex(*map(len, options)):
        after = state.clone()
        of_chance = {role: options[which][number[which]] for which, role in enumerate(chance)}
        after.step_ids([of_chance[role] if role in of_chance else int(chosen[role][at]) for role in game.roles])
        seen = {role: seats._seen[role][at] for role in game.players}
        if all((seats.encodings[role].encode(after.view(role)) == seen[role]).all() for role in seen):
            state.step_ids([of_chance[role] if role in of_chance else int(chosen[role][at]) for role in game.roles])
            return
    raise AssertionError("no move of chance leads to these percepts")


def test_policies_play_for_their_value(games):
    kuhn = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    bet = kuhn.moves("p1").index("bet")

    def bets(_seen, mask):
        return np.where(mask[:, bet] == 1, bet, mask.argmax(axis=1))

    goals = play(kuhn, {"p1": bets}, 20_000, seed=1)
    always = {it.view: {"bet": 1.0} for it in kuhn.decisions("p1") if "bet" in it.moves}
    value = {it.role: it.value for it in kuhn.evaluate(always)}
    assert abs(goals[:, kuhn.roles.index("p1")].mean() - value["p1"]) < 1.0
    assert (goals[:, :2].sum(axis=1) == 100).all()
    assert (play(kuhn, {"p1": bets}, 100, seed=7) == play(kuhn, {"p1": bets}, 100, seed=7)).all()


def test_strategies_have_values_and_gains(games):
    kuhn = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    decisions = kuhn.decisions()
    assert len(decisions) == 12 and len(kuhn.decisions("p1")) == 6
    assert all(sorted(it.moves) == ["bet", "pass"] for it in decisions)
    assert all(kuhn.moves(it.role)[at] == move for it in decisions for at, move in zip(it.ids, it.moves))
    uniform = kuhn.evaluate()
    # The figures of OpenSpiel for uniform play, with an ante of 25 points.
    assert abs(uniform.exploitability / 25 - 0.4583333) < 1e-6 and [it.role for it in uniform] == ["p1", "p2"]
    solution = kuhn.solve()
    assert kuhn.evaluate(solution).exploitability < 1e-9 > kuhn.evaluate(solution.strategy).exploitability
    table = {it.view: solution.moves(it.view) for it in decisions}
    assert kuhn.evaluate(table).exploitability < 1e-9
    assert "best" in uniform._repr_html_() and abs(uniform[0].gain - (uniform[0].best - uniform[0].value)) < 1e-9
    with pytest.raises(percept.PerceptError, match="not 1"):
        kuhn.evaluate({decisions[0].view: {"bet": 0.7}})
    with pytest.raises(percept.UnknownNameError, match="raise"):
        kuhn.evaluate({decisions[0].view: {"raise": 1.0}})
    with pytest.raises(percept.PerceptError, match="not a strategy"):
        kuhn.evaluate("(nonsense")
    with pytest.raises(TypeError):
        kuhn.evaluate(3)


def shared(view):
    """The address of an array's memory, which can be written and is aligned as DLPack wants it."""
    address = ctypes.addressof(ctypes.c_char.from_buffer(view.cast("B")))
    assert not view.readonly and address % 64 == 0
    return address


def test_arrays_share_their_memory(games):
    kuhn = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    batch = kuhn.batch(100, seed=1)
    seen = batch.step(batch.random_moves(), percepts=["p1"])
    matches = kuhn.play(1000, seed=1)
    for view in (batch.legal("p1"), batch.goals(), batch.random_moves(), batch.rounds, batch.terminal, seen["p1"],
                 matches.goals, matches.rounds, matches.terminal):
        array = np.from_dlpack(np.asarray(view))
        assert array.ctypes.data == shared(view) and array.shape == view.shape
    kuhn.batch(0)  # Arrays without items are arrays, too.
    assert kuhn.play(0).goals.nbytes == 0


SHARED = {
    "torch": "torch.from_dlpack(array).data_ptr()",
    "jax": "jax.dlpack.from_dlpack(array, copy=False).unsafe_buffer_pointer()",
}


@pytest.mark.parametrize("library", SHARED)
def test_other_libraries_share_it_too(games, library):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is missing")
    # In a process of its own: JAX does not go with later forks.
    program = f"""
import {library}, numpy, percept
batch = percept.load({str(games / "kuhn-poker" / "kuhn-poker.kif")!r}).batch(100, seed=1)
for array in map(numpy.asarray, (batch.legal("p1"), batch.goals())):
    assert {SHARED[library]} == array.ctypes.data
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
