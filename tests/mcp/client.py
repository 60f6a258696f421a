"""Every tool, errors, cancellation and hostile arguments, through the client that assistants' programs use.

The client compares each answer with the schema of its tool, and fails if they differ.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PERCEPT = sys.argv[1]
KUHN = "kuhn-poker/kuhn-poker.kif"
TEXT = Path("games", KUHN).read_text()
DEAL = [["noop", "noop", "(deal 3 2)"]]

# A good call of each tool, with and without `detail`; games of every kind.
GOOD = [
    ("check", {"path": KUHN}),
    ("check", {"text": "(role a)\n(<= (legal a x) (true y))"}),
    ("check", {"path": "battleship/battleship-2-4.pog", "time": 1}),
    ("explain", {"rule": "unsafe-variable"}),
    ("explain", {}),
    ("fix", {"text": TEXT.replace("(role p1)", "(role p1", 1), "guesses": True}),
    ("format", {"text": TEXT}),
    ("convert", {"path": KUHN, "to": "hrf"}),
    ("new", {"name": "night-ships"}),
    ("new", {"name": "night-ships", "language": "pogddl", "like": "board"}),
    ("step", {"path": KUHN}),
    ("step", {"path": KUHN, "history": DEAL}),
    ("step", {"path": KUHN, "history": DEAL, "role": "p1"}),
    ("step", {"path": "stratego/stratego.kif"}),
    ("play", {"path": KUHN, "matches": 10, "coverage": True, "time": 2}),
    ("play", {"path": "racko/racko-2-7.pog", "matches": 10, "time": 2}),
    ("test", {"path": "kuhn-poker"}),
    ("test", {"expected": "[[prove]]\nrole = \"p1\"\nlegal = \"proved\"\n", "text": TEXT}),
    ("observe", {"path": KUHN, "matches": 3}),
    ("observe", {"path": "racko/racko-2-7.pog", "matches": 2, "time": 3}),
    ("prove", {"path": KUHN}),
    ("prove", {"path": "exploding-bomb/exploding-bomb.kif"}),
    ("repair", {"path": KUHN, "property": "goal"}),
    ("query", {"path": KUHN, "query": "(always (not (knows p1 (true (holds p2 1)))))"}),
    ("query", {"path": KUHN, "query": "(always (not (true (holds p1 1))))"}),
    ("infoset", {"path": KUHN, "history": DEAL, "role": "p1"}),
    ("infoset", {"path": "phantom-tic-tac-toe/phantom-tic-tac-toe.kif", "history": [], "role": "white", "members": 3}),
    ("beliefs", {"path": KUHN, "history": DEAL, "role": "p1"}),
    ("solve", {"path": KUHN}),
    ("solve", {"path": "war/war.kif", "time": 2}),
    ("worth", {"path": KUHN}),
]

# What must be refused, with a word of the message.
BAD = [
    ("check", {}, "send the game"),
    ("check", {"gaem": 1}, "has no argument"),
    ("check", {"path": ["a"]}, "wrong"),
    ("check", {"path": "../../../../etc/passwd"}, "outside"),
    ("check", {"path": "/proc/self/environ"}, "outside"),
    ("check", {"path": "kuhn-poker/kuhn-poker.kif\0"}, "cannot read"),
    ("check", {"text": "\x1b[2J" * 1000}, "no language"),
    ("check", {"path": KUHN, "time": -1}, "seconds from"),
    ("step", {"path": KUHN, "history": [["(deal 3 2)"] * 100]}, "3"),
    ("step", {"path": KUHN, "history": DEAL, "role": "$(id)"}, "$(id)"),
    ("new", {"name": "a/../../b"}, "cannot name"),
    ("new", {"name": "mine", "folder": "/"}, "outside"),
    ("test", {"path": "/etc"}, "outside"),
    ("infoset", {"path": KUHN, "history": DEAL, "role": "p1", "members": 60000}, "too large"),
]


async def good(session):
    tools = {tool.name for tool in (await session.list_tools()).tools}
    assert tools == {name for name, _ in GOOD}, tools ^ {name for name, _ in GOOD}
    for name, given in GOOD:
        for more in ({}, {"detail": "full"}) if name not in ("explain", "fix", "format", "convert", "new") else ({},):
            result = await session.call_tool(name, {**given, **more})
            text = result.content[0].text
            if result.is_error:
                assert "time" in text and given.get("time"), (name, text)
                continue
            assert result.structured_content["outcome"] in ("fine", "problem", "undecided"), (name, text)
            # `detail` apart, an answer is short enough to be read.
            assert more or name in ("new", "fix", "format", "convert") or len(text) < 20_000, (name, given, len(text))


async def written(session, place):
    """The tools that write, with paths."""
    made = await session.call_tool("new", {"name": "mine", "folder": place})
    assert not made.is_error and Path(place, "mine", "mine.kif").is_file(), made
    game = Path(place, "mine", "mine.kif")
    text = game.read_text()
    game.write_text("  " + text.replace(")\n", "  )\n", 3))
    for tool in ("fix", "format", "fix", "format"):
        result = await session.call_tool(tool, {"path": str(game)})
        assert not result.is_error and "text" not in result.structured_content, result
    assert game.read_text() == text
    tested = await session.call_tool("test", {"path": place})
    assert tested.structured_content["failed"] == 0, tested


async def bad(session):
    for name, given, word in BAD:
        result = await session.call_tool(name, given)
        text = result.content[0].text
        assert result.is_error and word in text, (name, text)
        assert "\x1b" not in text and "panicked" not in text, (name, text)


async def cancelled(session):
    """A cancelled call leaves no process, and the server goes on."""
    with anyio.move_on_after(1.0) as scope:
        await session.call_tool("prove", {"path": "stratego/stratego.kif", "time": 600})
    assert scope.cancelled_caught
    begin = time.monotonic()
    while children() and time.monotonic() < begin + 10:
        await anyio.sleep(0.1)
    assert not children(), "a process is left"
    assert not (await session.call_tool("check", {"path": KUHN})).is_error


def children():
    """The commands that servers of ours run now."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline") if Path("/proc").is_dir() else []:
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == os.fsencode(os.path.realpath(PERCEPT)) and b"--within" in words and b"prove" in words:
            found.append(words)
    return found


async def progress(session):
    told = []

    async def tell(done, total, message):
        told.append((done, message))

    await session.call_tool("prove", {"path": "stratego/stratego.kif", "time": 2}, progress_callback=tell)
    assert told and told == sorted(told, key=lambda it: it[0]), told


async def at_once(session):
    """Calls at the same time get their own answers."""
    texts = [f"(role a{index})" for index in range(20)]
    answers = [None] * len(texts)

    async def one(index):
        answers[index] = await session.call_tool("step" if index % 2 else "check", {"text": texts[index]})

    async with anyio.create_task_group() as group:
        for index in range(len(texts)):
            group.start_soon(one, index)
    assert all(answer is not None for answer in answers)


async def library(session):
    for resource in (await session.list_resources()).resources:
        contents = (await session.read_resource(str(resource.uri))).contents
        assert len(contents[0].text) > 100, resource
    for prompt in (await session.list_prompts()).prompts:
        given = {prompt.arguments[0].name: "something"}
        assert "something" in (await session.get_prompt(prompt.name, given)).messages[0].content.text


async def main():
    with tempfile.TemporaryDirectory() as place:
        server = StdioServerParameters(command=PERCEPT, args=["mcp", "games", place])
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await written(session, place)
            for part in (good, bad, cancelled, progress, at_once, library):
                begin = time.monotonic()
                await part(session)
                print(f"mcp: {part.__name__} in {time.monotonic() - begin:.1f} s", flush=True)


asyncio.run(main())
