"""The progress of long calls: a bar in a notebook, a line in a terminal.

>>> import percept.progress
>>> percept.progress.show()                                             # doctest: +SKIP
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from percept._percept import html_escape, html_page, watch_work

Watcher = Callable[["str | None", int, "int | None"], object]
"""Called a few times each second with what is counted, how many, and of how many; in the end with `None`."""


def show(watcher: Watcher | None = None) -> None:
    """Shows the progress of all calls from now on that take long, or calls `watcher` with it."""
    watch_work(watcher or (_Bar() if _in_notebook() else _line))


def hide() -> None:
    """Shows no progress from now on."""
    watch_work(None)


def _in_notebook() -> bool:
    shell: Any = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")


def _said(what: str, done: int, total: int | None) -> str:
    return f"{what}: {done:,}" if total is None else f"{what}: {done:,} of {total:,}"


def _line(what: str | None, done: int, total: int | None) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K" if what is None else f"\r\x1b[K{_said(what, done, total)}")
        sys.stderr.flush()


class _Bar:
    """One output of a cell, which is empty in the end."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, what: str | None, done: int, total: int | None) -> None:
        notebook: Any = importlib.import_module("IPython.display")
        if what is None:
            self._handle.update(notebook.HTML(""))
            self._handle = None
            return
        value = "" if total is None else f' value="{done}" max="{total}"'
        shown = notebook.HTML(html_page(f"<progress{value}></progress> {html_escape(_said(what, done, total))}"))
        if self._handle is None:
            self._handle = notebook.display(shown, display_id=True)
        else:
            self._handle.update(shown)
