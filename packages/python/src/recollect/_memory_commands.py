"""The memory tool's six commands by a client, for the SDK's runners and for frameworks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from typing import Any

from ._files import Commands, Files, Json, Refused, remaining, run_blocking, words_for
from .client import AsyncRecollect, Recollect
from .errors import NoAnswer, RecollectError

#: Seconds that a command takes at most, all attempts included.
TIMEOUT = 2.0


class Failed(Exception):
    """The command was not carried out; the model reads the words."""


class FileCommands:
    """``path`` is where files are stored; ``team_id`` makes them the team's."""

    def __init__(
        self, client: Recollect, *, path: str = "memories", team_id: str | None = None, timeout: float = TIMEOUT
    ) -> None:
        self._client, self._path, self._team_id, self._timeout = client, path, team_id, timeout

    def run(self, command: Mapping[str, Any]) -> str:
        """The answer; raises Failed."""
        http, deadline = self._client.api.get_httpx_client(), time.monotonic() + self._timeout

        async def send(
            method: str, path: str, *, body: Json | None = None, query: Json | None = None, if_match: str | None = None
        ) -> Json:
            answer: Json = http.request(method, **_request(path, deadline, body, query, if_match)).json()
            return answer

        async def sleep(seconds: float) -> None:
            time.sleep(min(seconds, remaining(deadline)))

        commands = Commands(Files(send, self._path, self._team_id), sleep)
        return run_blocking(_attempt(_carry_out(commands, command)))


class AsyncFileCommands:
    """The same with ``await``."""

    def __init__(
        self, client: AsyncRecollect, *, path: str = "memories", team_id: str | None = None, timeout: float = TIMEOUT
    ) -> None:
        self._client, self._path, self._team_id, self._timeout = client, path, team_id, timeout

    async def run(self, command: Mapping[str, Any]) -> str:
        """See ``FileCommands.run``."""
        http, deadline = self._client.api.get_async_httpx_client(), time.monotonic() + self._timeout

        async def send(
            method: str, path: str, *, body: Json | None = None, query: Json | None = None, if_match: str | None = None
        ) -> Json:
            response = await http.request(method, **_request(path, deadline, body, query, if_match))
            answer: Json = response.json()
            return answer

        commands = Commands(Files(send, self._path, self._team_id), asyncio.sleep)
        return await _attempt(asyncio.wait_for(_carry_out(commands, command), self._timeout))


async def _carry_out(commands: Commands, command: Mapping[str, Any]) -> str:
    """Runs one command; a member that it needs and does not have is named."""
    name = command.get("command")
    try:
        match name:
            case "view":
                return await commands.view(command["path"], command.get("view_range"))
            case "create":
                return await commands.create(command["path"], command["file_text"])
            case "str_replace":
                return await commands.str_replace(command["path"], command["old_str"], command.get("new_str"))
            case "insert":
                return await commands.insert(command["path"], command["insert_line"], command["insert_text"])
            case "delete":
                return await commands.delete(command["path"])
            case "rename":
                return await commands.rename(command["old_path"], command["new_path"])
    except KeyError as missing:
        raise Refused(f"The command {name} needs {missing.args[0]}.") from None
    raise Refused(f"Unknown command: {name}")


async def _attempt(work: Coroutine[Any, Any, str]) -> str:
    try:
        return await work
    except Refused as refused:
        raise Failed(str(refused)) from None
    except (RecollectError, NoAnswer, TimeoutError) as error:
        raise Failed(words_for(error)) from error


def _request(path: str, deadline: float, body: Json | None, query: Json | None, if_match: str | None) -> Json:
    return {
        "url": path,
        "json": body,
        "params": query,
        "headers": {"If-Match": if_match} if if_match else {},
        "timeout": remaining(deadline),
        "extensions": {"recollect_deadline": deadline},
    }


#: For models that are not trained on the tool.
DESCRIPTION = (
    "Your memory: text files below /memories, which stay when the conversation ends. View /memories before a task; write "
    "down what will matter later, and keep it in order. Never passwords or keys."
)


def _string(words: str) -> Json:
    return {"type": "string", "description": words}


SCHEMA: Json = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "enum": ["view", "create", "str_replace", "insert", "delete", "rename"]},
        "path": _string("For all but rename: a file, or for view also a folder, such as /memories/notes.md"),
        "view_range": {"type": "array", "items": {"type": "integer"}, "description": "For view: first and last line"},
        "file_text": _string("For create: the text"),
        "old_str": _string("For str_replace: a text that is in the file once"),
        "new_str": _string("For str_replace: what takes its place; nothing unless given"),
        "insert_line": {"type": "integer", "description": "For insert: the line after which to insert; 0 is the top"},
        "insert_text": _string("For insert: the text"),
        "old_path": _string("For rename"),
        "new_path": _string("For rename"),
    },
    "required": ["command"],
}
