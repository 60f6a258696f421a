"""PettingZoo's own tests on described games."""

import pytest

pytest.importorskip("pettingzoo")
import numpy as np  # noqa: E402
import percept  # noqa: E402
import percept.pettingzoo  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402

GAMES = [
    "kuhn-poker/kuhn-poker.kif",
    "exploding-bomb/exploding-bomb.kif",
    "blind-tic-tac-toe/blind-tic-tac-toe.kif",
    "poker/king-and-jack.pog",
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("memory", [True, False])
def test_the_aec_api(games, name, memory):
    api_test(percept.pettingzoo.env(games / name, memory=memory), num_cycles=100, verbose_progress=False)


@pytest.mark.parametrize("name", GAMES)
def test_seeds(games, name):
    seed_test(lambda: percept.pettingzoo.env(games / name), num_cycles=20)


@pytest.mark.parametrize("name", GAMES)
def test_rounds_are_those_of_the_game(games, name):
    env = percept.pettingzoo.parallel_env(games / name)
    rng = np.random.default_rng(1)
    for seed in range(5):
        observations, _ = env.reset(seed=seed)
        rewards = {}
        while env.agents:
            for agent in env.agents:
                assert env.observation_space(agent).contains(observations[agent])
            actions = {
                agent: int(rng.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in env.agents
            }
            observations, rewards, over, cut, _ = env.step(actions)
            assert len(set(over.values())) == 1 and not any(cut.values())
        state = env.percept_state
        assert state.is_terminal and state.goals() == {agent: int(reward) for agent, reward in rewards.items()}
        view = state.view(env.possible_agents[0])
        rows = observations[env.possible_agents[0]]["observation"]
        assert rows[:, -1].sum() == len(view)


def test_illegal_moves_are_exceptions(games):
    env = percept.pettingzoo.parallel_env(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")
    env.reset(seed=0)
    with pytest.raises(percept.IllegalMoveError):
        env.step({agent: env.action_space(agent).n - 1 if at else 10**6 for at, agent in enumerate(env.agents)})


def test_matches_are_truncated(games):
    env = percept.pettingzoo.parallel_env(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif", max_rounds=2)
    observations, _ = env.reset(seed=0)
    for _ in range(2):
        moves = {agent: int(np.flatnonzero(observations[agent]["action_mask"])[0]) for agent in env.agents}
        observations, _, over, cut, _ = env.step(moves)
    assert all(cut.values()) and not any(over.values()) and env.agents == []


# PettingZoo's tests of the parallel API sample actions without masks, so they need games whose moves are always legal.
def test_the_parallel_api_where_every_move_is_legal():
    game = percept.parse(
        """(role left) (role right) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
        (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
        (<= (next (same)) (does left ?m) (does right ?m))
        (<= (sees ?r (other ?m)) (role ?r) (does ?o ?m) (distinct ?o ?r))
        (<= terminal (true (round 3)))
        (<= (goal left 100) (true (same))) (<= (goal left 0) (not (true (same))))
        (<= (goal right 0) (true (same))) (<= (goal right 100) (not (true (same))))"""
    )
    parallel_api_test(percept.pettingzoo.parallel_env(game), num_cycles=100)
    parallel_seed_test(lambda: percept.pettingzoo.parallel_env(game), num_cycles=20)
