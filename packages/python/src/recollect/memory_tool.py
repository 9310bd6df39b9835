"""Anthropic's memory tool on Recollect, for the tool runners of ``anthropic``. Each file is a memory, with versions, access
control and redaction, and every other agent of the same user can search it::

    with Recollect() as memory:
        runner = Anthropic().beta.messages.tool_runner(..., tools=[MemoryTool(memory)])
"""

from __future__ import annotations

from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from ._memory_commands import TIMEOUT, AsyncFileCommands, Failed, FileCommands
from .client import AsyncRecollect, Recollect


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
        self._commands = FileCommands(client, path=path, team_id=team_id, timeout=timeout)

    def _run(self, command: Any) -> str:
        try:
            return self._commands.run(vars(command))
        except Failed as failed:
            raise ToolError(str(failed)) from failed

    view = create = str_replace = insert = delete = rename = _run


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
        self._commands = AsyncFileCommands(client, path=path, team_id=team_id, timeout=timeout)

    async def _run(self, command: Any) -> str:
        try:
            return await self._commands.run(vars(command))
        except Failed as failed:
            raise ToolError(str(failed)) from failed

    view = create = str_replace = insert = delete = rename = _run
