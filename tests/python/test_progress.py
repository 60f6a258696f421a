"""The progress of long calls."""

import percept
import percept.progress
import pytest


@pytest.fixture
def blind(games):
    yield percept.load(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")
    percept.progress.hide()


def test_long_calls_tell_their_progress(blind):
    reports = []
    percept.progress.show(lambda *report: reports.append(report))
    with pytest.raises(percept.TooLargeError):
        blind.evaluate(time=1)
    assert len(reports) > 2 and reports[-1] == (None, 0, None)
    assert reports[0][0] == "states" and all(one[1] <= other[1] for one, other in zip(reports, reports[1:-1]))
    percept.progress.hide()
    del reports[:]
    with pytest.raises(percept.TooLargeError):
        blind.evaluate(time=0.3)
    assert reports == []


def test_a_solver_tells_its_exploitability(games, blind):
    reports = []
    percept.progress.show(lambda *report: reports.append(report))
    percept.load(games / "leduc-poker" / "leduc-poker.kif").solve(method="cfr+", target=0, time=1)
    assert any("exploitability" in (what or "") and done > 0 for what, done, _ in reports)


def test_a_watcher_that_raises_stops_the_work(blind):
    def refuse(*_):
        raise KeyError("enough")

    percept.progress.show(refuse)
    with pytest.raises(KeyError, match="enough"):
        blind.evaluate(time=60)


def test_a_notebook_shows_a_bar(games):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    source = f"""
import percept, percept.progress
percept.progress.show()
game = percept.load({str(games / "blind-tic-tac-toe" / "blind-tic-tac-toe.kif")!r})
try:
    game.evaluate(time=1)
except percept.TooLargeError as why:
    print("stopped")
"""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    bars = []

    class Client(nbclient.NotebookClient):
        def process_message(self, message, cell, at):
            if message["msg_type"] in ("display_data", "update_display_data"):
                bars.append(message["content"]["data"]["text/html"])
            return super().process_message(message, cell, at)

    Client(book, timeout=120, kernel_name="python3").execute()
    assert "<progress" in bars[0] and "states: " in bars[0] and bars[-1] == ""
    assert any(it.get("text") == "stopped\n" for it in book.cells[0].outputs)
