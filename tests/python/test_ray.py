"""Work on two nodes of a real cluster, one of which dies."""

import json
import os
import shutil
import subprocess
import threading
import time

import pytest

ray = pytest.importorskip("ray")
import percept  # noqa: E402
import percept.ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

COLLECTION = [
    "blind-tic-tac-toe/blind-tic-tac-toe.kif",
    "exploding-bomb/exploding-bomb.kif",
    "hidden-matching-pennies/hidden-matching-pennies.kif",
    "poker/king-and-jack.pog",
]


@pytest.fixture
def cluster():
    try:
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False)
    except Exception as error:
        pytest.skip(f"a cluster cannot be started here: {error}")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_nothing_is_lost_when_a_node_dies(cluster, games, tmp_path):
    done = tmp_path / "done"
    done.mkdir()

    def slow(number):
        time.sleep(0.3)
        (done / f"{number} {ray.get_runtime_context().get_node_id()} {time.time_ns()}").touch()
        return number * number

    def kill():
        # Waits until both nodes have worked.
        while len({path.name.split()[1] for path in done.iterdir()}) < 2:
            time.sleep(0.05)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    answers = percept.ray.each(slow, range(40))
    killer.join(60)
    assert answers == [number * number for number in range(40)]
    # Its death is reported with some delay.
    patience = time.monotonic() + 60
    while sum(node["Alive"] for node in ray.nodes()) > 1:
        assert time.monotonic() < patience
        time.sleep(0.1)

    # The remaining node continues, and gives the same result as one process.
    paths = [games / name for name in COLLECTION]
    broken = tmp_path / "broken.kif"
    broken.write_text("(role r")
    rows = percept.ray.prove([*paths, broken])
    here = [(str(path), it.role, it.property, it.verdict, it.depth) for path in paths for it in percept.load(path).prove()]
    assert [(it.game, it.role, it.property, it.verdict, it.depth) for it in rows[:-1]] == here
    assert isinstance(rows[-1], percept.ray.Refused) and rows[-1].game == str(broken)

    game = percept.load(paths[0])
    there, alone = percept.ray.play(game, 5000, seed=4, task=700), game.play(5000, seed=4)
    assert there.goals == alone.goals and there.rounds == alone.rounds and there.terminal == alone.terminal


def losing_a_node(cluster, work):
    """The result of work during which a node is lost."""
    killed = []

    def kill():
        time.sleep(2)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
        killed.append(time.monotonic())

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    result = work()
    ended = time.monotonic()
    killer.join(60)
    assert killed[0] < ended
    return result


def test_a_best_response_survives_the_death_of_a_node(cluster, games):
    leduc = percept.load(games / "leduc-poker" / "leduc-poker.kif")
    solution = leduc.solve(method="cfr+", iterations=5)
    for strategy in [None, solution]:
        here, there = leduc.evaluate(strategy), percept.ray.best_response(leduc, strategy, parts=5)
        assert list(map(repr, here)) == list(map(repr, there)) and here.to_pandas().equals(there.to_pandas())

    # Ten sides instead of six: the work takes seconds, and a node is lost in the middle of it.
    text = (games / "liars-dice" / "liars-dice-6.kif").read_text()
    faces = [f"(face {one})" for one in range(7, 11)]
    higher = [f"(higher {one} {other})" for one in range(7, 11) for other in range(1, one)]
    game = percept.parse(text.replace("(wild 6)", " ".join(["(wild 10)", *faces, *higher])))
    there = losing_a_node(cluster, lambda: percept.ray.best_response(game, parts=16))
    assert list(map(repr, there)) == list(map(repr, game.evaluate()))


def test_a_solution_survives_the_death_of_a_node(cluster, games):
    leduc = percept.load(games / "leduc-poker" / "leduc-poker.kif")
    here = leduc.solve(method="pcfr+", iterations=20)
    there = percept.ray.solve(leduc, shares=3, iterations=20)
    assert (there.values, there.strategy) == (here.values, here.strategy)

    there = losing_a_node(cluster, lambda: percept.ray.solve(leduc, shares=4, method="cfr+", iterations=800, target=0))
    here = leduc.solve(method="cfr+", iterations=800, target=0)
    assert there.iterations == 800
    assert (there.values, there.strategy) == (here.values, here.strategy)
    assert [it.exploitability for it in there.curve] == [it.exploitability for it in here.curve]

    with pytest.raises(percept.UnsolvableError, match="opposed"):
        percept.ray.solve(percept.load(games / "exploding-bomb" / "exploding-bomb.kif"), shares=1)


def test_tournaments_and_table_1_are_those_of_one_machine(cluster, games):
    program = os.environ.get("PERCEPT") or shutil.which("percept")
    if program is None:
        pytest.skip("the program `percept` is missing")
    paths = [games / "exploding-bomb-arming" / "exploding-bomb-arming.kif", games / "poker" / "king-and-jack.pog"]
    players = ["uct", "random"]

    def alone(*args):
        run = subprocess.run([program, *map(str, args), "--format", "json"], capture_output=True, text=True, check=True)
        return json.loads(run.stdout)

    here = alone("tournament", *paths, "--players", "uct,random", "--simulations", 20, "-n", 4, "--seed", 3)
    there = percept.ray.tournament(paths, players, 4, simulations=20, seed=3, parts=3, program=program)
    assert (there["pairs"], there["ratings"]) == (here["pairs"], here["ratings"])
    assert there["resumed"] == here["played"] == sum(pair["matches"] for pair in here["pairs"])

    # One kind of cell of each size; the time suffices for all of them.
    asked = {"cell": "b-1", "matches": 2, "members": 4, "time": "20s", "method": "csp"}
    here = alone("bench", "table1", *(word for key, value in asked.items() for word in (f"--{key}", value)))
    there = percept.ray.table1(**asked, parts=3, program=program)

    def told(table):
        return [{key: it for key, it in cell.items() if not key.endswith("_s")} for cell in table["cells"]]

    assert len(here["cells"]) > 3 and told(there) == told(here)
    with pytest.raises(percept.PerceptError):
        percept.ray.tournament(paths, ["nobody"], 1, program=program)
