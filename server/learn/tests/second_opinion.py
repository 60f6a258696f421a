"""The network of percept-learn once more, in PyTorch (or, where there is none, JAX): the error of its examples and the
gradient of that error by automatic differentiation, held against the ones that were computed by hand.

    python3 second_opinion.py FILE

FILE is JSON: `blocks`, `hidden`, `parts` (name -> rows), `examples` (`inputs`: rounds of columns that are one; `targets`:
rounds of [column, share], where they are the last; `done`: where more follow), `error`, `gradient` (name -> rows). Exit code 0: they agree; 1: they do not; 77: neither library
is there.
"""

import json
import sys

try:
    import torch

    LIBRARY = "torch"
except ImportError:
    try:
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        LIBRARY = "jax"
    except ImportError:
        print("skipped: neither torch nor jax can be imported")
        sys.exit(77)


def tensor(values, shape=None):
    if LIBRARY == "torch":
        array = torch.tensor(values, dtype=torch.float64)
    else:
        array = jnp.array(values, dtype=jnp.float64)
    return array.reshape(shape) if shape else array


def sigmoid(x):
    return torch.sigmoid(x) if LIBRARY == "torch" else jax.nn.sigmoid(x)


def tanh(x):
    return torch.tanh(x) if LIBRARY == "torch" else jnp.tanh(x)


def softmax(x):
    return torch.softmax(x, dim=-1) if LIBRARY == "torch" else jax.nn.softmax(x)


def cell(gates, state, recurrent, bias, hidden):
    h, c = state
    gates = gates + h @ recurrent + bias[0]
    i, f, g, o = (gates[n * hidden : (n + 1) * hidden] for n in range(4))
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


def one_hot(columns, width):
    return tensor([1.0 if n in columns else 0.0 for n in range(width)])


def error_of(parts, task):
    """The squared error of every beginning of every example, one after the other: no batches, no shared encoder."""
    hidden, total = task["hidden"], 0.0
    inputs = len(task["parts"]["encoder.input"])
    looks_back = len(task["parts"]["decoder.input"]) > 0
    for example in task["examples"]:
        for rounds in range(1, len(example["inputs"]) + 1):
            state = (tensor([0.0] * hidden), tensor([0.0] * hidden))
            seen = [one_hot(columns, inputs) for columns in example["inputs"][:rounds]]
            for row in seen:
                gates = row @ parts["encoder.input"]
                state = cell(gates, state, parts["encoder.recurrent"], parts["encoder.bias"], hidden)
            summary = state[0]
            targets = example["done"][: rounds - 1] + [example["targets"][rounds - 1]]
            for row, target in zip(seen, targets):
                gates = summary @ parts["decoder.summary"]
                if looks_back:
                    gates = gates + row @ parts["decoder.input"]
                state = cell(gates, state, parts["decoder.recurrent"], parts["decoder.bias"], hidden)
                logits = state[0] @ parts["output.weight"] + parts["output.bias"][0]
                first = 0
                for width in task["blocks"]:
                    wanted = {column - first: share for column, share in target if first <= column < first + width}
                    if wanted:
                        guess = softmax(logits[first : first + width])
                        total = total + ((guess - tensor([wanted.get(n, 0.0) for n in range(width)])) ** 2).sum()
                    first += width
    return total


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        task = json.load(file)
    columns = {"output.weight": sum(task["blocks"]), "output.bias": sum(task["blocks"])}
    shape = lambda name, rows: (len(rows), columns.get(name, 4 * task["hidden"]))
    parts = {name: tensor(rows, shape(name, rows)) for name, rows in task["parts"].items()}
    if LIBRARY == "torch":
        for part in parts.values():
            part.requires_grad_()
        error = error_of(parts, task)
        error.backward()
        empty = torch.zeros(0)
        gradient = {name: (empty if part.grad is None else part.grad).tolist() for name, part in parts.items()}
    else:
        error, gradient = jax.value_and_grad(lambda parts: error_of(parts, task))(parts)
        gradient = {name: part.tolist() for name, part in gradient.items()}
    worst, count = abs(float(error) - task["error"]), 0
    for name, rows in task["gradient"].items():
        for found, expected in zip(rows, gradient[name], strict=True):
            for one, other in zip(found, expected, strict=True):
                worst, count = max(worst, abs(one - other)), count + 1
    print(f"{LIBRARY}: error {float(error):.12f}, {count} gradients, greatest difference {worst:.3e}")
    sys.exit(0 if worst < 1e-9 else 1)


if __name__ == "__main__":
    main()
