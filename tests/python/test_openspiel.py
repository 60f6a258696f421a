"""OpenSpiel's own tests and algorithms on described games."""

import collections
import random
import time

import pytest

pyspiel = pytest.importorskip("pyspiel")
import numpy as np  # noqa: E402
import percept  # noqa: E402
import percept.openspiel  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, get_all_states, ismcts  # noqa: E402
from open_spiel.python.algorithms import mcts  # noqa: E402

GAMES = [
    "kuhn-poker/kuhn-poker.kif",
    "hidden-matching-pennies/hidden-matching-pennies.kif",
    "exploding-bomb/exploding-bomb.kif",
    "blind-tic-tac-toe/blind-tic-tac-toe.kif",
    "poker/king-and-jack.pog",
    "tic-tac-toe/tic-tac-toe.kif",
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("simultaneous", [None, False])
def test_openspiels_own_game_test(games, name, simultaneous):
    game = percept.openspiel.load(games / name, simultaneous=simultaneous)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def kuhn(games):
    return percept.openspiel.load(games / "kuhn-poker" / "kuhn-poker.kif", zero=50, unit=25)


def test_kuhn_is_openspiels_kuhn(games):
    ours, theirs = kuhn(games), pyspiel.load_game("kuhn_poker")
    assert ours.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert ours.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    shape = []
    for game in (ours, theirs):
        states = get_all_states.get_all_states(game, depth_limit=-1, include_terminals=True, include_chance_states=False)
        infosets = {
            (state.current_player(), state.information_state_string())
            for state in states.values()
            if not state.is_terminal()
        }
        returns = collections.Counter(tuple(state.returns()) for state in states.values() if state.is_terminal())
        shape.append((len(states), len(infosets), returns))
    assert shape[0] == shape[1]


def test_cfr_and_exploitability(games):
    game = kuhn(games)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 5e-3
    value = sum(
        probability * worth
        for probability, worth in [(1.0, _value(game.new_initial_state(), policy))]
    )
    assert value == pytest.approx(-1 / 18, abs=5e-3)


def _value(state, policy):
    if state.is_terminal():
        return state.returns()[0]
    moves = state.chance_outcomes() if state.is_chance_node() else policy.action_probabilities(state).items()
    return sum(probability * _value(state.child(move), policy) for move, probability in moves)


def test_cfr_in_cpp(games):
    solver = pyspiel.CFRPlusSolver(kuhn(games))
    for _ in range(200):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(kuhn(games), solver.average_policy()) < 5e-3


def test_simultaneous_nodes(games):
    path = games / "hidden-matching-pennies" / "hidden-matching-pennies.kif"
    game = percept.openspiel.load(path, simultaneous=True)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    turns = pyspiel.convert_to_turn_based(game)
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    ours = percept.load(path).solve()
    first = turns.new_initial_state()
    low, high = ours.values[percept.load(path).players[0]]
    assert low - 2 <= _value(first, solver.average_policy()) <= high + 2


def _play(game, rng):
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_simultaneous_node():
            actions = [rng.choice(state.legal_actions(player)) for player in range(game.num_players())]
            state.apply_actions(actions)
        else:
            state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("simultaneous", [True, False])
def test_states_are_resampled_from_information_states(games, name, simultaneous):
    game = percept.openspiel.load(games / name, simultaneous=simultaneous)
    rng = random.Random(5)
    for _ in range(3):
        for state in _play(game, rng):
            if state.is_chance_node():
                continue
            for player in range(game.num_players()):
                other = state.resample_from_infostate(player, rng.random)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.current_player() == state.current_player()
                assert other.legal_actions(player) == state.legal_actions(player)
                assert other.history()  is not None and not other.is_terminal()
                np.testing.assert_array_equal(
                    other.information_state_tensor(player), state.information_state_tensor(player)
                )


def test_resampled_cards_are_as_likely_as_they_are(games):
    # In Kuhn poker the first player knows its card: the other holds either of the two left, equally often.
    game = kuhn(games)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    rng = random.Random(1)
    others = collections.Counter(str(state.resample_from_infostate(0, rng.random)) for _ in range(400))
    assert len(others) == 2 and min(others.values()) > 140


def test_ismcts(games):
    path = games / "exploding-bomb" / "exploding-bomb.kif"
    game = percept.openspiel.load(path, simultaneous=False)
    rng = np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=4, random_state=rng),
        uct_c=50.0,
        max_simulations=300,
        random_state=rng,
    )
    total = 0
    for seed in range(6):
        state = game.new_initial_state()
        chance = random.Random(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
            else:
                state.apply_action(bot.step(state))
        total += state.returns()[0]
    # Asking first is worth 90, guessing 50.
    assert total / 6 == 90


def test_bad_paths_are_exceptions(tmp_path):
    with pytest.raises(percept.LoadError):
        percept.openspiel.load(tmp_path / "nowhere.kif")
    broken = tmp_path / "broken.kif"
    broken.write_text("(role r")
    with pytest.raises(percept.GameError):
        percept.openspiel.load(broken)


def test_openspiels_record_follows_steps_made_by_python(games):
    """Steps of Python are entered in OpenSpiel's record of a match when it needs them: mixed with its own, and in copies."""
    game = kuhn(games)
    actions = [3, 2, 0, 2]
    for leave in range(len(actions)):
        state, other = game.new_initial_state(), game.new_initial_state()
        for step, action in enumerate(actions):
            (state.apply_action if step < leave else state.apply_action_with_legality_check)(action)
            pyspiel.State.apply_action(other, action)
            if step == leave:
                state = pyspiel.State.clone(state)
        assert state.is_terminal() and other.is_terminal() and state.returns() == other.returns()
        assert state.move_number() == other.move_number() == len(actions)
        assert [it.player for it in state.full_history()] == [-1, 0, 1, 0]
        assert [it.player for it in other.full_history()] == [-1, 0, 1, 0]
        assert pyspiel.State.history(state) == state.history() == actions
        read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
        assert read.history() == actions and read.returns() == state.returns()
    read = game.new_initial_state()
    read.apply_action(3)
    read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, read))[1]
    read.apply_action(0)
    assert read.history() == [3, 0] and read.move_number() == 2


def test_lists_of_a_state_belong_to_the_caller(games):
    state = kuhn(games).new_initial_state()
    state.legal_actions().clear()
    state.chance_outcomes().clear()
    assert len(state.legal_actions()) == len(state.chance_outcomes()) == 6
    with pytest.raises(percept.IllegalMoveError) as illegal:
        state.apply_action(99)
    assert illegal.value.role == "random" and len(illegal.value.legal) == 6
    assert state.history() == []


@pytest.mark.parametrize("name", GAMES)
def test_information_states_are_the_views_of_the_description(games, name):
    game = percept.openspiel.load(games / name, simultaneous=False)
    draw = random.Random(3)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            for player in range(game.num_players()):
                view = str(state.percept.view(game.table.players[player]))
                assert state.information_state_string(player).partition(" now ")[0] == view
            state.apply_action(draw.choice(state.legal_actions()))


def test_a_match_takes_about_as_long_as_in_openspiels_own_game(games):
    """A release build takes 0.9 times as long, see tests/openspiel/bench-steps; this limit is for any build and machine."""
    both, best = (kuhn(games), pyspiel.load_game("kuhn_poker")), [float("inf")] * 2
    for _ in range(10):
        for at, game in enumerate(both):
            begin = time.process_time()
            for _ in range(300):
                state = game.new_initial_state()
                while not state.is_terminal():
                    if not state.is_chance_node():
                        state.information_state_string()
                    state.apply_action(state.legal_actions()[-1])
                state.returns()
            best[at] = min(best[at], time.process_time() - begin)
    assert best[0] < 4 * best[1]
