"""Runs the examples of docs/python.md in order, and compares their output with the page."""

import contextlib
import doctest
import io
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
NEEDS = {
    "pyspiel": "pyspiel",
    "percept.openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "gymnasium": "gymnasium",
    "percept.ray": "ray",
    "percept.widget": "anywidget",
    "percept.encoding": "numpy",
    "percept.selfplay": "numpy",
}


def test_the_page_tells_the_truth(monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 6
    names: dict = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for number, block in enumerate(blocks):
        wanted = {module for word, module in NEEDS.items() if word in block}
        try:
            for module in wanted:
                __import__(module)
        except ImportError:
            continue
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", str(PAGE), 0)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            failed = runner.run(test, out=said.write, clear_globs=False).failed
        names.update(test.globs)
        assert not failed, said.getvalue()
    assert runner.summarize(verbose=False).attempted >= 15


if __name__ == "__main__":
    pytest.main([__file__])
