"""SARIF output is read by the standard's types, which others wrote: every key is one of the standard's."""

import os
import subprocess

import pytest

sarif = pytest.importorskip("sarif_pydantic")
import pydantic  # noqa: E402

GAME = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif"
TRACE = "games/blind-tic-tac-toe/traces/no-line.trace"
COMMANDS = [
    ["check", "tests/end_to_end/ten-mistakes.kif"],
    ["check", "games/gops"],
    ["observe", GAME, TRACE, "--role", "white"],
]


def unknown_keys(value):
    """Keys below `value` that the types do not name, but for one of the standard's that they have forgotten."""
    if isinstance(value, list):
        return [key for one in value for key in unknown_keys(one)]
    if not isinstance(value, pydantic.BaseModel):
        return []
    fields = type(value).model_fields
    own = [key for key in value.model_extra or {} if key != "columnKind"]
    return own + [key for name in fields for key in unknown_keys(getattr(value, name))]


@pytest.mark.parametrize("command", COMMANDS)
def test_sarif_is_sarif(games, command):
    program = os.environ.get("PERCEPT", "percept")
    run = subprocess.run([program, *command, "--format", "sarif"], cwd=games.parent, capture_output=True, text=True)
    log = sarif.Sarif.model_validate_json(run.stdout)
    assert not unknown_keys(log)
    assert len(log.runs) == 1
    rules = [rule.id for rule in log.runs[0].tool.driver.rules or []]
    for result in log.runs[0].results or []:
        assert result.rule_id in rules and result.locations


def test_an_unknown_key_is_found():
    log = sarif.Sarif.model_validate({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "nam": 1}}}]})
    assert unknown_keys(log) == ["nam"]
