"""The notebooks of the manual are executed again, and give the same text."""

import importlib.machinery
import importlib.util
import pathlib

import pytest

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("pandas")
import nbformat  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
NEEDS = {"learning": ["gymnasium", "jax", "optax"]}


def text(cell):
    """The text that a cell printed and returned, without warnings."""
    printed = "".join(it.text for it in cell.outputs if it.output_type == "stream" and it.name == "stdout")
    returned = [it.data.get("text/plain", "") for it in cell.outputs if "data" in it]
    return printed, returned


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_true(path):
    for module in NEEDS.get(path.stem, []):
        pytest.importorskip(module)
    loader = importlib.machinery.SourceFileLoader("run", str(DOCS / "notebooks" / "run"))
    run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(run)
    before, after = nbformat.read(path, as_version=4), run.executed(path)
    compared = 0
    for old, new in zip(before.cells, after.cells):
        if old.cell_type == "code" and "varies" not in old.metadata.get("tags", []):
            assert text(old) == text(new), old.source
            compared += 1
    assert compared > 3 and not any(it.output_type == "error" for cell in before.cells for it in cell.get("outputs", []))


def test_the_gallery_is_complete_and_small():
    page = (DOCS / "notebooks.md").read_text()
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        assert f"](notebooks/{path.name})" in page and path.stat().st_size < 300_000
