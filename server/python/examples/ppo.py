"""PPO learns to play one seat against random opponents, and is compared with the best response.

Usage: python ppo.py [GAME [ROLE]]        needs gymnasium, jax and optax
"""
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
import percept
import percept.gymnasium
from percept.encoding import Encoding

MATCHES, STEPS, UPDATES, PASSES, CLIP, TRACE = 256, 16, 80, 4, 0.2, 0.95


@jax.jit
def forward(layers, seen, mask):
    """The logarithms of the probabilities of the moves, and the value."""
    x = seen.reshape(len(seen), -1)
    for weights, bias in layers[:-1]:
        x = jnp.tanh(x @ weights + bias)
    out = x @ layers[-1][0] + layers[-1][1]
    return jax.nn.log_softmax(jnp.where(mask == 1, out[:, :-1], -1e9)), out[:, -1]


def loss(layers, seen, mask, move, log, gain, aim):
    logs, values = forward(layers, seen, mask)
    ratio = jnp.exp(jnp.take_along_axis(logs, move[:, None], 1)[:, 0] - log)
    better = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
    return (((values - aim) ** 2) / 2 - better + 0.01 * (jnp.exp(logs) * logs).sum(1)).mean()


def train(game, role, seed=0):
    env, rng = percept.gymnasium.vector_env(game, MATCHES, role=role), np.random.default_rng(seed)
    now, _ = env.reset(seed=seed)
    sizes = [now["observation"][0].size, 64, 64, now["action_mask"].shape[1] + 1]
    layers = [(rng.normal(0, one**-0.5, (one, two)), np.zeros(two)) for one, two in zip(sizes, sizes[1:])]
    adam = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(optax.linear_schedule(3e-3, 0, UPDATES * PASSES * 4)))
    held = adam.init(layers)

    @jax.jit
    def improve(layers, held, batch):
        changes, held = adam.update(jax.grad(loss)(layers, *batch), held)
        return optax.apply_updates(layers, changes), held

    for _ in range(UPDATES):
        steps = []
        for _ in range(STEPS):
            seen = now["observation"], now["action_mask"]
            logs, values = map(np.asarray, forward(layers, *seen))
            move = (logs + rng.gumbel(size=logs.shape)).argmax(1)
            now, goals, over, _, _ = env.step(move)
            steps.append((*seen, move, logs[np.arange(MATCHES), move], values, np.where(over, goals / 50 - 1, 0), over))
        value, gain, batch = np.asarray(forward(layers, now["observation"], now["action_mask"])[1]), 0, []
        for *seen, values, reward, over in reversed(steps):
            gain = reward + np.where(over, 0, value + TRACE * gain) - values
            batch.append((*seen, gain, gain + values))
            value = values
        batch = [np.concatenate(rows) for rows in zip(*batch)]
        batch[4] = (batch[4] - batch[4].mean()) / (batch[4].std() + 1e-8)
        for part in np.concatenate([rng.permutation(MATCHES * STEPS).reshape(4, -1) for _ in range(PASSES)]):
            layers, held = improve(layers, held, [rows[part] for rows in batch])
    return layers


def main(path="games/liars-dice/liars-dice.kif", role=None):
    game = percept.load(path)
    role = role or game.players[0]
    layers, encoding, table = train(game, role), Encoding(game, role), {}
    for it in game.decisions(role):
        logs = forward(layers, encoding.encode(it.view)[None], encoding.mask(it.ids)[None])[0][0]
        table[it.view] = dict(zip(it.moves, np.exp(logs)[it.ids].tolist()))
    (learned,) = [it for it in game.evaluate(table) if it.role == role]
    (uniform,) = [it for it in game.evaluate() if it.role == role]
    print(f"{role}: at random {uniform.value:.2f}, learned {learned.value:.2f}, best {learned.best:.2f}")
    return uniform.value, learned.value, learned.best


if __name__ == "__main__":
    main(*sys.argv[1:])
