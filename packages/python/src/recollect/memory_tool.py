"""Anthropic's memory tool on Recollect, for the tool runners of ``anthropic``. Each file is a memory, with versions, access
control and redaction, and every other agent of the same user can search it::

    with Recollect() as memory:
        runner = Anthropic().beta.messages.tool_runner(..., tools=[MemoryTool(memory)])
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from ._files import Commands, Files, Json, Refused, remaining, run_blocking, words_for
from .client import AsyncRecollect, Recollect
from .errors import NoAnswer, RecollectError

#: Seconds that a command takes at most, all attempts included.
TIMEOUT = 2.0


def _request(path: str, deadline: float, body: Json | None, query: Json | None, if_match: str | None) -> Json:
    return {
        "url": path,
        "json": body,
        "params": query,
        "headers": {"If-Match": if_match} if if_match else {},
        "timeout": remaining(deadline),
        "extensions": {"recollect_deadline": deadline},
    }


async def _attempt(work: Coroutine[Any, Any, str]) -> str:
    try:
        return await work
    except Refused as refused:
        raise ToolError(str(refused)) from None
    except (RecollectError, NoAnswer, TimeoutError) as error:
        raise ToolError(words_for(error)) from error


class MemoryTool(BetaAbstractMemoryTool):
    """For ``Anthropic``. ``path`` is where files are stored; ``team_id`` makes them the team's."""

    def __init__(
        self,
        client: Recollect,
        *,
        path: str = "memories",
        team_id: str | None = None,
        timeout: float = TIMEOUT,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._client, self._path, self._team_id, self._timeout = client, path, team_id, timeout

    def _commands(self) -> Commands:
        http, deadline = self._client.api.get_httpx_client(), time.monotonic() + self._timeout

        async def send(
            method: str, path: str, *, body: Json | None = None, query: Json | None = None, if_match: str | None = None
        ) -> Json:
            answer: Json = http.request(method, **_request(path, deadline, body, query, if_match)).json()
            return answer

        async def sleep(seconds: float) -> None:
            time.sleep(min(seconds, remaining(deadline)))

        return Commands(Files(send, self._path, self._team_id), sleep)

    def view(self, command: Any) -> str:
        view_range = getattr(command, "view_range", None)
        return run_blocking(_attempt(self._commands().view(command.path, view_range)))

    def create(self, command: Any) -> str:
        return run_blocking(_attempt(self._commands().create(command.path, command.file_text)))

    def str_replace(self, command: Any) -> str:
        new_str = getattr(command, "new_str", None)
        return run_blocking(_attempt(self._commands().str_replace(command.path, command.old_str, new_str)))

    def insert(self, command: Any) -> str:
        work = self._commands().insert(command.path, command.insert_line, command.insert_text)
        return run_blocking(_attempt(work))

    def delete(self, command: Any) -> str:
        return run_blocking(_attempt(self._commands().delete(command.path)))

    def rename(self, command: Any) -> str:
        return run_blocking(_attempt(self._commands().rename(command.old_path, command.new_path)))


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """For ``AsyncAnthropic``."""

    def __init__(
        self,
        client: AsyncRecollect,
        *,
        path: str = "memories",
        team_id: str | None = None,
        timeout: float = TIMEOUT,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._client, self._path, self._team_id, self._timeout = client, path, team_id, timeout

    def _commands(self) -> Commands:
        http, deadline = self._client.api.get_async_httpx_client(), time.monotonic() + self._timeout

        async def send(
            method: str, path: str, *, body: Json | None = None, query: Json | None = None, if_match: str | None = None
        ) -> Json:
            response = await http.request(method, **_request(path, deadline, body, query, if_match))
            answer: Json = response.json()
            return answer

        return Commands(Files(send, self._path, self._team_id), asyncio.sleep)

    async def _run(self, work: Coroutine[Any, Any, str]) -> str:
        return await _attempt(asyncio.wait_for(work, self._timeout))

    async def view(self, command: Any) -> str:
        view_range = getattr(command, "view_range", None)
        return await self._run(self._commands().view(command.path, view_range))

    async def create(self, command: Any) -> str:
        return await self._run(self._commands().create(command.path, command.file_text))

    async def str_replace(self, command: Any) -> str:
        new_str = getattr(command, "new_str", None)
        return await self._run(self._commands().str_replace(command.path, command.old_str, new_str))

    async def insert(self, command: Any) -> str:
        return await self._run(self._commands().insert(command.path, command.insert_line, command.insert_text))

    async def delete(self, command: Any) -> str:
        return await self._run(self._commands().delete(command.path))

    async def rename(self, command: Any) -> str:
        return await self._run(self._commands().rename(command.old_path, command.new_path))
