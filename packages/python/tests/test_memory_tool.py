"""The memory tool beside the local tool of Anthropic's SDK, over random commands, and in whole turns of its runners.

Skipped as known: a path such as ``/memoriesX``, which the local tool takes for one below ``/memories``, and a missing
``new_str``, at which it breaks. Where it lets an error of the file system through, only the refusal is compared; how large
a folder is on its disk is not, and folders that have become empty are removed.
"""

import asyncio
import json
import os
import random
import re
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("anthropic")

from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from recollect import AsyncRecollect, Recollect, Retries
from recollect.memory_tool import AsyncMemoryTool, MemoryTool

SEED = int(os.environ.get("RECOLLECT_SEED", "20260131"))
COMMANDS = int(os.environ.get("RECOLLECT_RUNS", "1")) * 150

PATHS = [
    *["/memories/a", "/memories/a/b", "/memories/a/b/c", "/memories/a.txt", "/memories/A", "/memories/d/.h"] * 3,
    *["/memories/é %_=/漢 字.md", "/memories/.hidden", "/memories", "/memories/", "/memories/d", "/memories/d/../a"],
    *["/memories//a/./b", "/memories/a/", "/memories/../x", "/elsewhere"],
]
LINES = ["one", "two two", "one two", "", " ", "\tthree\r", "ünï 漢 🙂", "`$&`"]
OLD = ["one", "two", "e", "ünï", "🙂", "absent", "`$&`", "two\none", "\n", "", "two two\n"]


def some_text(chance):
    return "\n".join(chance.choices(LINES, k=chance.randrange(6))) + chance.choice(["", "\n", "\n\n"])


def stored_files(root: Path):
    """The text of each file below the root of the local tool, by the model's name for it."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    return {f"/memories/{path.relative_to(root).as_posix()}": path.read_bytes().decode() for path in files}


def some_command(chance, stored):
    """A random command. Commands that need a file mostly name a stored one: at any seed, a fifth or more succeed."""
    names = ["create"] * 4 + ["view"] * 4 + ["insert"] * 3 + ["rename", "delete"] * 2 + ["str_replace"] * 4
    name = chance.choice(names if stored else names[:8])
    needs_file = name != "create" and stored and chance.random() < 0.7
    path = chance.choice(list(stored) if needs_file else PATHS)
    lines = stored.get(path, "").split("\n")
    match name:
        case "create":
            return {"command": name, "path": path, "file_text": some_text(chance)}
        case "view":
            view_range = chance.choice([None, [chance.randrange(-2, 7), chance.randrange(-2, 7)]])
            return {"command": name, "path": path, **({"view_range": view_range} if view_range else {})}
        case "insert":
            at = chance.randrange(-2, 7) if chance.random() < 0.5 else chance.randrange(len(lines))
            return {"command": name, "path": path, "insert_line": at, "insert_text": some_text(chance)}
        case "rename":
            return {"command": name, "old_path": path, "new_path": chance.choice(PATHS)}
        case "delete":
            return {"command": name, "path": path}
        case _:
            old = chance.choice(OLD if chance.random() < 0.5 else lines)
            return {"command": name, "path": path, "old_str": old, "new_str": some_text(chance)}


def outcome(tool, command):
    try:
        return "done", tool.call(command)
    except ToolError as error:
        return "refused", str(error)
    except (OSError, ValueError) as error:
        return "leak", str(error)


def comparable(answer):
    lines = answer.split("\n")
    if not lines[0].startswith("Here're"):
        return answer
    return "\n".join(re.sub(r"^\S+\t", "FOLDER\t", line) if at == 1 or line.endswith("/") else line for at, line in enumerate(lines))


def remove_empty_folders(root: Path):
    for folder, _, _ in list(os.walk(root, topdown=False)):
        if folder != str(root) and not os.listdir(folder):
            os.rmdir(folder)


@pytest.fixture
def memory():
    with Recollect(agent_id="python-tests") as client:
        yield client


@pytest.fixture
def path():
    return f"files/{uuid.uuid4()}"


def test_answers_as_the_local_tool_does_over_random_commands(memory, path, tmp_path):
    chance, counts = random.Random(SEED), {"done": 0, "refused": 0, "leak": 0}
    for at in range(COMMANDS):
        if at % 30 == 0:
            local = BetaLocalFilesystemMemoryTool(str(tmp_path / str(at)))
            ours = MemoryTool(memory, path=f"{path}/{at}", timeout=60)
        command = some_command(chance, stored_files(tmp_path / str(at - at % 30) / "memories"))
        (kind, expected), (our_kind, answer) = outcome(local, command), outcome(ours, command)
        counts[kind] += 1
        if kind == "leak":
            assert our_kind == "refused", (SEED, command)
        else:
            assert (our_kind, comparable(answer)) == (kind, comparable(expected)), (SEED, command)
        remove_empty_folders(tmp_path / str(at - at % 30) / "memories")
    print(counts)
    assert counts["done"] > COMMANDS / 5


def test_ten_writers_at_once_lose_nothing_that_was_called_done(memory, path):
    MemoryTool(memory, path=path).call({"command": "create", "path": "/memories/log", "file_text": ""})

    async def write(client, writer):
        tool, done = AsyncMemoryTool(client, path=path, timeout=10), []
        for at in range(3):
            line = f"writer {writer}, line {at}"
            try:
                await tool.call({"command": "insert", "path": "/memories/log", "insert_line": 0, "insert_text": line})
            except ToolError as error:
                assert "again" in str(error)
            else:
                done.append(line)
        return done

    async def run():
        async with AsyncRecollect() as client:
            return [line for done in await asyncio.gather(*(write(client, at) for at in range(10))) for line in done]

    done = asyncio.run(run())
    shown = MemoryTool(memory, path=path).call({"command": "view", "path": "/memories/log"})
    lines = [line.split("\t")[1] for line in shown.split("\n")[1:]]
    assert len(done) >= 10 and all(lines.count(line) == 1 for line in done)


class Model(BaseHTTPRequestHandler):
    """Calls the tool with the server's inputs, one after another, then ends."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        last = body["messages"][-1]["content"]
        if isinstance(last, list) and last[0]["type"] == "tool_result":
            self.server.results.append(last[0])
        at = len(self.server.results)
        content, stop = [{"type": "text", "text": "Done."}], "end_turn"
        if at < len(self.server.inputs):
            content, stop = [{"type": "tool_use", "id": f"t{at}", "name": "memory", "input": self.server.inputs[at]}], "tool_use"
        message = {"id": f"m{at}", "type": "message", "role": "assistant", "model": "scripted", "content": content}
        answer = json.dumps({**message, "stop_reason": stop, "usage": {"input_tokens": 1, "output_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture
def model():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.results = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


TURN = {"model": "scripted", "max_tokens": 100, "messages": [{"role": "user", "content": "Use your memory."}]}


def connection_of(model):
    return {"api_key": "none", "base_url": f"http://127.0.0.1:{model.server_port}", "max_retries": 0}


@pytest.mark.parametrize("is_async", [False, True])
def test_a_turn_of_the_runner_writes_and_reads(model, memory, path, is_async):
    name = "/memories/odalys.md"
    model.inputs = [
        {"command": "create", "path": name, "file_text": "Odalys keeps falcons.\n"},
        {"command": "str_replace", "path": name, "old_str": "falcons", "new_str": "kestrels"},
        {"command": "view", "path": name},
        {"command": "view", "path": "/memories/absent"},
    ]

    async def run():
        async with AsyncRecollect() as client, AsyncAnthropic(**connection_of(model)) as anthropic:
            runner = anthropic.beta.messages.tool_runner(**TURN, tools=[AsyncMemoryTool(client, path=path)])
            return await runner.until_done()

    if is_async:
        last = asyncio.run(run())
    else:
        runner = Anthropic(**connection_of(model)).beta.messages.tool_runner(**TURN, tools=[MemoryTool(memory, path=path)])
        last = runner.until_done()
    assert last.content[0].text == "Done."
    answers = [json.dumps(result["content"], ensure_ascii=False) for result in model.results]
    assert f"File created successfully at: {name}" in answers[0]
    assert "Odalys keeps kestrels." in answers[2]
    assert "The path /memories/absent does not exist." in answers[3] and model.results[3]["is_error"]


def test_a_turn_goes_on_without_the_service(model):
    model.inputs = [{"command": "view", "path": "/memories"}]
    down = Recollect(url="http://127.0.0.1:9", api_key="none", retries=Retries())
    before = time.monotonic()
    tool = MemoryTool(down, timeout=1)
    Anthropic(**connection_of(model)).beta.messages.tool_runner(**TURN, tools=[tool]).until_done()
    assert "The memory service failed." in json.dumps(model.results[0]) and time.monotonic() - before < 5


def test_a_secret_is_replaced_and_the_model_is_told_so(memory, path):
    secret = "ghp_" + ("Ab3dE6gH9j" * 4)[:36]
    tool = MemoryTool(memory, path=path)
    answer = tool.call({"command": "create", "path": "/memories/a", "file_text": f"The token is {secret}."})
    assert "Secrets are not stored: the file has [secret:" in answer
    assert secret not in tool.call({"command": "view", "path": "/memories/a"})
