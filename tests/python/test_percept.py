"""The package itself."""

import copy
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import threading
import time
from fractions import Fraction

import percept
import pytest

COIN = """(role random) (role guesser)
(init (step 1))
(<= (legal random (toss heads)) (true (step 1)))
(<= (legal random (toss tails)) (true (step 1)))
(<= (legal random noop) (true (step 2)))
(<= (legal guesser noop) (true (step 1)))
(<= (legal guesser (guess heads)) (true (step 2)))
(<= (legal guesser (guess tails)) (true (step 2)))
(<= (next (coin ?c)) (does random (toss ?c)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (coin ?c)) (true (coin ?c)))
(<= (next (won)) (true (coin ?c)) (does guesser (guess ?c)))
(<= (sees guesser (saw ?c)) (does random (toss ?c)) PEEK)
(<= terminal (true (step 3)))
(<= (goal guesser 100) (true (won)))
(<= (goal guesser 0) (not (true (won))))
(<= (goal guesser 0) (not (true (step 3))))
"""
BLIND = COIN.replace("PEEK", "(true (step 2))")
SEEING = COIN.replace("PEEK", "(true (step 1))")


def test_a_match(games):
    game = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    assert game.players == ["p1", "p2"] and game.chance == ["random"]
    state = game.initial()
    assert state.round == 0 and not state.is_terminal
    while not state.is_terminal:
        state.step({role: state.legal(role)[0] for role in game.roles})
    goals = state.goals()
    assert sum(goals.values()) == 100
    again = game.deserialize(state.serialize())
    assert again == state and again.facts() == state.facts() and again.history == state.history


def test_copies_go_their_own_way():
    game = percept.parse(BLIND)
    state = game.initial()
    state.step({"random": "(toss heads)"})
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        other.step({"random": "noop", "guesser": "(guess heads)"})
        assert other.is_terminal and not state.is_terminal and other.goals() == {"guesser": 100}


def test_numbers_and_names_mean_the_same_moves(games):
    game = percept.load(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")
    by_name, by_number = game.initial(), game.initial()
    while not by_name.is_terminal:
        numbers = [by_number.legal_ids(role)[-1] for role in game.roles]
        names = [game.moves(role)[number] for role, number in zip(game.roles, numbers)]
        for role, name in zip(game.roles, names):
            assert name in by_name.legal(role)
        by_name.step(names)
        by_number.step_ids(numbers)
        assert by_name == by_number
        for role in game.players:
            view = by_name.view(role)
            own, seen = view.ids()[-1]
            assert view.rounds[-1] == (game.moves(role)[own], [game.percepts(role)[it] for it in seen])


def test_what_a_role_knows():
    game = percept.parse(BLIND)
    state = game.initial()
    state.step({"random": "(toss heads)"})
    view = state.view("guesser")
    assert view.rounds == [("noop", [])]
    members = view.members()
    assert members.complete and members.histories == 2 and members.guarantee == "all"
    assert {member.moves[0][0] for member in members} == {"(toss heads)", "(toss tails)"}
    assert [member.probability for member in members] == pytest.approx([0.5, 0.5])
    assert members[0].state().view("guesser") == view
    assert view.belief() == {"(coin heads)": 0.5, "(coin tails)": 0.5, "(step 2)": 1.0}
    assert view == game.view("guesser", [("noop", [])]) and len({view, game.view("guesser", [("noop", [])])}) == 1
    tosses = {view.sample(seed).history[0][0] for seed in range(20)}
    assert tosses == {"(toss heads)", "(toss tails)"}

    seeing = percept.parse(SEEING)
    state = seeing.initial()
    state.step({"random": "(toss heads)"})
    assert state.percepts("guesser") == ["(saw heads)"]
    assert state.view("guesser").belief() == {"(coin heads)": 1.0, "(step 2)": 1.0}


def test_verdicts_and_proofs(games):
    game = percept.load(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")
    state = game.read(games / "blind-tic-tac-toe" / "traces" / "no-line.trace")
    verdicts = {(it.role, it.round, it.property): it for it in state.verdicts("white")}
    assert verdicts["white", 3, "legal"].verdict == "known"
    refuted = verdicts["white", 3, "terminal"]
    assert refuted.verdict == "unknown"
    one, other = refuted.witness
    one, other = ([tuple(joint) for joint in history] for history in (one, other))
    views = []
    for history in (one, other):
        there = game.initial()
        for joint in history:
            there.step(joint)
        views.append(there)
    assert views[0].view("white") == views[1].view("white") and views[0].is_terminal != views[1].is_terminal
    proofs = {it.property: it for it in percept.parse(SEEING).prove("guesser")}
    assert proofs["legal"].verdict == proofs["terminal"].verdict == proofs["goal"].verdict == "proved"
    assert percept.parse(BLIND).prove("guesser")[2].verdict == "refuted"


def test_values(games):
    solution = percept.load(games / "kuhn-poker" / "kuhn-poker.kif").solve()
    # 50 points mean no loss, 25 points are a chip: -1/18 of a chip.
    assert (solution.exact["p1"] - 50) / 25 == Fraction(-1, 18)
    assert solution.kind == "zero-sum" and solution.strategy.startswith("; percept strategy")
    rows = {row.role: row for row in percept.load(games / "exploding-bomb" / "exploding-bomb.kif").worth()}
    assert rows["agent"].worth == pytest.approx(40)
    # Seeing the coin is worth 100, guessing 50.
    assert percept.parse(SEEING).solve().exact == {"guesser": 100}
    assert percept.parse(BLIND).solve().exact == {"guesser": 50}


def test_strategies_at_views():
    game = percept.parse(SEEING)
    state = game.initial()
    state.step({"random": "(toss tails)"})
    assert game.solve().moves(state.view("guesser"))["(guess tails)"] == 1


def test_pogddl(games):
    game = percept.load(games / "poker" / "king-and-jack.pog")
    assert game.is_sequential and game.language == "pogddl" and len(game.files) == 2
    state = game.initial()
    turns = 0
    while not state.is_terminal:
        turn = next(role for role in game.roles if state.legal(role) != ["noop"])
        state.step(state.legal(turn)[0])
        turns += 1
    assert state.round == turns and set(state.goals()) == set(game.players)
    assert game.deserialize(state.serialize()) == state


def test_errors_say_what_is_wrong(tmp_path, games):
    with pytest.raises(percept.LoadError, match="nowhere.kif"):
        percept.load(tmp_path / "nowhere.kif")
    with pytest.raises(percept.LoadError, match="folder"):
        percept.load(tmp_path)
    broken = tmp_path / "broken.kif"
    broken.write_text("(role r)\n(<= (legal r (go ?x)) (true (at ?y)))\n(init (at 1))\n(<= terminal (true (at 1)))\n")
    with pytest.raises(percept.GameError) as raised:
        percept.load(broken)
    finding = next(it for it in raised.value.findings if it.line == 2)
    assert (finding.file, finding.severity) == (str(broken), "error") and finding.rule and "?x" in finding.message
    assert str(broken) in str(raised.value)
    with pytest.raises(percept.GameError) as raised:
        percept.parse("(role r")
    assert raised.value.findings[0].line == 1

    game = percept.parse(BLIND)
    state = game.initial()
    with pytest.raises(percept.IllegalMoveError) as raised:
        state.step({"random": "(toss edge)"})
    illegal = raised.value
    assert (illegal.role, illegal.move, illegal.round) == ("random", "(toss edge)", 1)
    assert sorted(illegal.legal) == ["(toss heads)", "(toss tails)"] and state.round == 0
    for wrong in ({"random": "(toss heads)", "guesser": "(guess heads)"}, ["noop"], ["(toss heads)", "noop", "noop"]):
        with pytest.raises(percept.IllegalMoveError):
            state.step(wrong)
    with pytest.raises(percept.IllegalMoveError):
        state.step_ids([99, 0])
    with pytest.raises(percept.UnknownNameError, match="guesser"):
        state.legal("nobody")
    with pytest.raises(percept.UnknownNameError):
        state.legal(7)
    with pytest.raises(percept.UnknownNameError):
        game.view("guesser", [("noop", ["(saw edge)"])])
    with pytest.raises(percept.TraceError):
        game.deserialize("(((")
    with pytest.raises(percept.PerceptError):
        state.view("guesser").members(method="guess")
    with pytest.raises(percept.PerceptError):
        state.verdicts(time=-1.0)
    state.step({"random": "(toss heads)"})
    state.step({"guesser": "(guess heads)", "random": "noop"})
    with pytest.raises(percept.IllegalMoveError, match="over"):
        state.step({})
    assert state.legal("guesser") == []


def test_no_panic_crosses_the_border(capfd):
    with pytest.raises(percept.InternalError, match="on purpose"):
        percept._percept._panic()
    assert capfd.readouterr().err == ""
    assert issubclass(percept.InternalError, percept.PerceptError)


def test_games_and_states_travel(games):
    game = percept.load(games / "poker" / "king-and-jack.pog")
    state = game.initial()
    turn = next(role for role in game.roles if state.legal(role) != ["noop"])
    state.step(state.legal(turn)[0])
    there = pickle.loads(pickle.dumps(state))
    assert there.history == state.history and there.facts() == state.facts()
    assert pickle.loads(pickle.dumps(game)).roles == game.roles


def test_random_matches_are_those_of_the_seed(games):
    game = percept.load(games / "tic-tac-toe" / "tic-tac-toe.kif")
    one, other = game.play(3000, seed=7, threads=1), game.play(3000, seed=7, threads=2)
    assert one.goals == other.goals and one.rounds == other.rounds and all(one.terminal)
    assert one.goals != game.play(3000, seed=8).goals
    assert one.goals.shape == (3000, 2) and {sum(row) for row in one.goals.tolist()} == {100}
    assert one.steps == sum(one.rounds.tolist())


def test_a_batch_moves_as_its_states_would(games):
    game = percept.load(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")
    batch, states = game.batch(20, seed=3), [game.initial() for _ in range(20)]
    while not all(batch.terminal):
        masks = {role: batch.legal(role).tolist() for role in game.roles}
        moves = batch.random_moves()
        expected = {role: [[False] * len(game.percepts(role)) for _ in states] for role in game.players}
        for at, state in enumerate(states):
            for role in game.roles:
                legal = [] if state.is_terminal else state.legal_ids(role)
                assert [number for number, is_legal in enumerate(masks[role][at]) if is_legal] == legal
            if not state.is_terminal:
                state.step_ids(moves.tolist()[at])
                for role in game.players:
                    for name in state.percepts(role):
                        expected[role][at][game.percepts(role).index(name)] = True
        seen = batch.step(moves, percepts=game.players)
        assert {role: mask.tolist() for role, mask in seen.items()} == expected
        assert list(batch.terminal) == [state.is_terminal for state in states]
        assert list(batch.rounds) == [state.round for state in states]
    for row, state in zip(batch.goals().tolist(), states):
        assert {role: goal for role, goal in zip(game.roles, row) if role in game.players} == state.goals()
    assert batch.restart() == 20 and not any(batch.terminal)
    with pytest.raises(percept.IllegalMoveError):
        batch.step([[999] * len(game.roles)] * 20)
    with pytest.raises(percept.IllegalMoveError):
        batch.step([0])


def test_a_batch_plays_the_random_matches_of_its_seed(games):
    game = percept.load(games / "kuhn-poker" / "kuhn-poker.kif")
    batch, matches = game.batch(3000, seed=11), game.play(3000, seed=11)
    while not all(batch.terminal):
        assert batch.step(batch.random_moves()) is None
    assert batch.rounds == matches.rounds and batch.goals().tolist() == matches.goals.tolist()
    with pytest.raises(percept.TooLargeError):
        game.batch(1 << 40)


def test_other_threads_run_meanwhile(games):
    game = percept.load(games / "tic-tac-toe" / "tic-tac-toe.kif")
    counted, done = 0, threading.Event()

    def play():
        game.play(400_000, threads=1)
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 3


def test_findings(games):
    game = percept.parse(BLIND.replace("(<= (next (won))", "(<= (sees guesser (never)) (true (nothing)))\n(<= (next (won))"))
    assert any(it.severity == "warning" or it.severity == "error" for it in game.findings())
    assert percept.load(games / "exploding-bomb" / "exploding-bomb.kif").max_rounds() == 3


def test_errors_print_as_percept_check_does(tmp_path):
    program = os.environ.get("PERCEPT", "")
    broken = tmp_path / "broken.kif"
    broken.write_text("(role r) (init (at 1)) (<= (legal r (go ?x)) (true (at ?y)))\n(<= (next (at ?z)) (does r (go ?q)))\n")
    with pytest.raises(percept.GameError) as raised:
        percept.load(broken)
    said = str(raised.value)
    assert f"{broken}:1:41" in said and "error[unsafe-variable]: `?x` in the head is unsafe" in said and "^^" in said
    assert len(raised.value.findings) == said.count("error[") == 3
    if pathlib.Path(program).is_file():
        told = subprocess.run([program, "check", broken], capture_output=True, text=True, check=False).stdout
        assert said.split() == told.rpartition("1 file: 3 errors")[0].split()


def test_options_are_those_of_the_command_line(games):
    bomb = percept.load(str(games / "exploding-bomb" / "exploding-bomb.kif"))
    assert [it.property for it in bomb.prove("agent", property="goal")] == ["goal"]
    assert [it.property for it in bomb.prove(property=["terminal", "legal"])] == ["terminal", "legal"]
    assert bomb.prove(property="legal", method="structure")[0].method == bomb.prove(property="legal")[0].method
    assert {it.property for it in bomb.initial().verdicts(property="terminal")} == {"terminal"}
    with pytest.raises(percept.PerceptError, match="`property` is"):
        bomb.prove(property="luck")
    with pytest.raises(percept.PerceptError, match="`method` is"):
        bomb.prove(method="luck")
    assert bomb.worth(method="cfr+", target=0.1, seed=1)[0].worth == pytest.approx(40, abs=1)
    poker = percept.load(games / "poker" / "king-and-jack.pog", pogddl_terminal="payoff")
    assert poker.players
    members = bomb.initial().view("agent").members()
    assert [it.moves for it in members] == [members[at].moves for at in range(len(members))]


USER = """import pathlib

import percept

game = percept.load(pathlib.Path("game.kif"))
state: percept.State = game.initial()
beliefs: dict[str, float] = state.view("a").belief(seed=1)
verdicts: list[percept.Verdict] = state.verdicts()
shares = [member.probability for member in state.view("a").members(10, sample="uniform", seed=3)]
proved = [proof.verdict == "proved" for proof in game.prove(property="legal")]
game.tree(3, solution=game.solve(seed=1)).save(pathlib.Path("tree.svg"))
raised = percept.GameError("no").findings[0].line + 1
"""


@pytest.mark.parametrize("asked", [["-p", "percept"], ["user.py"]])
def test_types_are_strict(tmp_path, asked):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER)
    checked = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *asked]
    told = subprocess.run(checked, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


PYRIGHT = """{"typeCheckingMode": "strict", "reportMissingTypeStubs": false, "include": ["percept", "user.py"],
"exclude": ["percept/openspiel.py", "percept/pettingzoo.py", "percept/ray.py"]}"""


def test_types_are_strict_to_pyright(tmp_path):
    """All but the adapters, whose libraries have no types."""
    program = shutil.which("pyright") or shutil.which("pyright", path=os.path.dirname(sys.executable))
    program = program or shutil.which("basedpyright", path=os.path.dirname(sys.executable))
    if program is None:
        pytest.skip("pyright is missing")
    shutil.copytree(pathlib.Path(percept.__file__).parent, tmp_path / "percept")
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "pyrightconfig.json").write_text(PYRIGHT)
    asked = [program, "-p", "pyrightconfig.json", "--pythonpath", sys.executable]
    told = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_stubs_are_those_of_the_module():
    stubtest = pytest.importorskip("mypy.stubtest")
    arguments = stubtest.parse_options(["percept._percept", "--ignore-missing-stub", "--concise"])
    before = list(sys.argv)
    try:
        assert stubtest.test_stubs(arguments) == 0
    finally:
        sys.argv = before
