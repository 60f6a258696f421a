"""Work on two nodes of a real cluster, one of which dies."""

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
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
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
        # Not before both have worked.
        while len({path.name.split()[1] for path in done.iterdir()}) < 2:
            time.sleep(0.05)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    answers = percept.ray.each(slow, range(40))
    killer.join(60)
    assert answers == [number * number for number in range(40)]
    assert sum(node["Alive"] for node in ray.nodes()) == 1

    # What is left goes on, and gives what one process gives.
    paths = [games / name for name in COLLECTION]
    broken = tmp_path / "broken.kif"
    broken.write_text("(role r")
    rows = percept.ray.prove([*paths, broken])
    here = [(str(path), it.role, it.property, it.verdict, it.depth) for path in paths for it in percept.load(path).prove()]
    assert [(it.game, it.role, it.property, it.verdict, it.depth) for it in rows[:-1]] == here
    assert isinstance(rows[-1], percept.ray.Refused) and rows[-1].game == str(broken)

    game = percept.load(paths[0])
    there, alone = percept.ray.play(game, 5000, seed=4, task=700), game.play(5000, seed=4)
    assert there.goals == alone.goals.tolist() and there.rounds == alone.rounds.tolist()
