"""Vector environments of Gymnasium."""

import pytest

gymnasium = pytest.importorskip("gymnasium")
import numpy as np  # noqa: E402
import percept  # noqa: E402
import percept.gymnasium  # noqa: E402


@pytest.mark.parametrize("name", ["kuhn-poker/kuhn-poker.kif", "exploding-bomb/exploding-bomb.kif", "poker/king-and-jack.pog"])
@pytest.mark.parametrize("memory", [True, False])
def test_masked_random_play(games, name, memory):
    env = percept.gymnasium.vector_env(games / name, 32, memory=memory, seed=1)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    seen, _ = env.reset(seed=3)
    ended = 0
    for _ in range(30):
        assert env.observation_space.contains(seen)
        assert (seen["action_mask"].sum(axis=1) > 0).all()
        actions = env.random_actions()
        assert seen["action_mask"][np.arange(32), actions].all()
        seen, rewards, over, cut, infos = env.step(actions)
        assert not cut.any() and (rewards[~over] == 0).all()
        if over.any():
            ended += int(over.sum())
            assert (infos["_final_obs"] == over).all()
            played = infos["final_obs"]["observation"][over][..., -1]
            assert (played.sum(axis=-1) > 0).all()
            assert (seen["observation"][over] == 0).all()
    assert ended > 32


def test_a_seed_repeats_and_views_are_those_of_matches(games):
    game = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    runs = []
    for _ in range(2):
        env = percept.gymnasium.vector_env(game, 8, role="p2")
        seen, _ = env.reset(seed=5)
        run = [seen]
        for _ in range(3):
            run.append(env.step(env.random_actions())[0])
        runs.append(run)
    for one, other in zip(*runs):
        assert all((one[key] == other[key]).all() for key in one)
    after_deal = runs[0][1]["observation"][:, 0]
    cards = [at for at, it in enumerate(game.percepts("p2")) if it.startswith("(card")]
    assert (after_deal[:, [len(game.moves("p2")) + at for at in cards]].sum(axis=1) == 1).all()


def test_illegal_moves_are_errors(games):
    env = percept.gymnasium.vector_env(games / "kuhn-poker" / "kuhn-poker.kif", 4)
    seen, _ = env.reset(seed=1)
    with pytest.raises(percept.IllegalMoveError):
        env.step(np.argmin(seen["action_mask"], axis=1))


def test_other_players_follow_their_policies(games):
    game = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    bet = game.moves("p2").index("bet")
    asked = []

    def bold(observation, mask):
        asked.append(observation.shape)
        return np.where(mask[:, bet] == 1, bet, mask.argmax(axis=1))

    env = percept.gymnasium.vector_env(game, 256, role="p1", others={"p2": bold}, seed=1)
    env.reset(seed=2)
    won = []
    for _ in range(200):
        _, rewards, over, _, _ = env.step(env.random_actions())
        won.extend(rewards[over])
    always = {it.view: {"bet": 1.0} for it in game.decisions("p2")}
    assert set(asked) == {(256, 4, 13)} and len(won) > 10_000
    assert abs(np.mean(won) - game.evaluate(always)[0].value) < 2


def test_rounds_of_an_observation_can_be_given(games):
    game = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    env = percept.gymnasium.vector_env(game, 8, rounds=2, seed=1)
    assert env.single_observation_space["observation"].shape == (2, 13)
    seen, _ = env.reset(seed=1)
    for _ in range(10):
        assert env.observation_space.contains(seen)
        seen = env.step(env.random_actions())[0]
