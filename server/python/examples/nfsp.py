"""NFSP, neural fictitious self-play: each player learns a best response, and the average of its own best responses.

Usage: python nfsp.py [GAME]        needs jax and optax
"""
import random
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
import percept
from percept.selfplay import Seats

MATCHES, STEPS, RECENT, SHARE = 128, 2500, 150, 0.2
adam = optax.adam(optax.linear_schedule(5e-3, 1e-4, STEPS))


@jax.jit
def forward(layers, seen, mask):
    """A number for each legal move: its value, or the logarithm of its probability before it is scaled."""
    x = seen.reshape(len(seen), -1)
    for weights, bias in layers[:-1]:
        x = jax.nn.relu(x @ weights + bias)
    return jnp.where(mask == 1, x @ layers[-1][0] + layers[-1][1], -1e9)


def loss(nets, aims, recent, past):
    """The error of the values in recent steps, and the surprise at the best responses of all steps."""
    seen, mask, move, reward, over, after, legal, _ = recent
    aim = reward + jnp.where(over, 0, forward(aims, after, legal).max(1))
    error = jnp.take_along_axis(forward(nets[0], seen, mask), move[:, None], 1)[:, 0] - aim
    logs = jax.nn.log_softmax(forward(nets[1], *past[:2]))
    return (error**2).mean() - (jnp.take_along_axis(logs, past[2][:, None], 1)[:, 0] * past[-1]).sum() / past[-1].sum()


@jax.jit
def improve(nets, held, *batch):
    changes, held = adam.update(jax.grad(loss)(nets, *batch), held)
    return optax.apply_updates(nets, changes), held


class Learner:
    def __init__(self, inputs, moves, rng):
        sizes, self.rng, self.steps = (inputs, 64, 64, moves), rng, []
        fresh = lambda: [(rng.normal(0, one**-0.5, (one, two)), np.zeros(two)) for one, two in zip(sizes, sizes[1:])]
        self.nets, self.responds = [fresh(), fresh()], rng.random(MATCHES) < SHARE
        self.held, self.aims = adam.init(self.nets), self.nets[0]

    def moves(self, seen, mask):
        best, average = (np.asarray(forward(layers, seen, mask)) for layers in self.nets)
        best = np.where(self.rng.random((MATCHES, 1)) < 0.1, mask + self.rng.random(mask.shape), best)
        return np.where(self.responds, best.argmax(1), (average + self.rng.gumbel(size=mask.shape)).argmax(1))

    def learn(self, seen, mask, move, reward, over, after, legal):
        self.steps.append((seen, mask, move, reward, over, after, legal, self.responds & (mask.sum(1) > 1)))
        self.responds = np.where(over, self.rng.random(MATCHES) < SHARE, self.responds)
        drawn = random.choices(self.steps[-RECENT:], k=2), random.choices(self.steps, k=4)
        batches = [[np.concatenate(rows) for rows in zip(*steps)] for steps in drawn]
        if batches[1][-1].any():
            self.nets, self.held = improve(self.nets, self.held, self.aims, *batches)
        if len(self.steps) % 10 == 0:
            self.aims = self.nets[0]


def main(path="games/kuhn-poker/kuhn-poker.kif", seed=0):
    game, rng = percept.load(path), np.random.default_rng(seed)
    random.seed(seed)
    seats = Seats(game, MATCHES, seed=seed)
    now = {role: seats.observe(role) for role in game.players}
    learners = {role: Learner(seen[0].size, mask.shape[1], rng) for role, (seen, mask) in now.items()}
    for _ in range(STEPS):
        moves = {role: it.moves(*now[role]) for role, it in learners.items()}
        over = seats.step(moves)
        rewards = {role: np.where(over, seats.goals(role) / 50 - 1, 0).astype(np.float32) for role in game.players}
        seats.restart()
        before, now = now, {role: seats.observe(role) for role in game.players}
        for role, it in learners.items():
            it.learn(*before[role], moves[role], rewards[role], over, *now[role])
    table = {}
    for it in game.decisions():
        encoding = seats.encodings[it.role]
        numbers = forward(learners[it.role].nets[1], encoding.encode(it.view)[None], encoding.mask(it.ids)[None])[0]
        table[it.view] = dict(zip(it.moves, np.asarray(jax.nn.softmax(numbers))[it.ids].tolist()))
    uniform, learned = game.evaluate().exploitability, game.evaluate(table).exploitability
    print(f"exploitability, in points of the goals: {uniform:.2f} at random, {learned:.2f} learned")
    return uniform, learned


if __name__ == "__main__":
    main(*sys.argv[1:])
