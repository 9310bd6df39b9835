"""Recollect as a capability of Pydantic AI: it recalls before a run, captures after it, and gives the model three tools::

    agent = Agent(model, capabilities=[RecollectMemory(memory, user=lambda run: run.deps.user_id)])
"""

from __future__ import annotations

from copy import copy
from typing import Any, TypeAlias

from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelRequest, TextPart, UserPromptPart
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import FunctionToolset

from ._memory_commands import DESCRIPTION, SCHEMA, AsyncFileCommands, Failed
from .agent_memory import AgentMemory, AgentTool, Json, Name, said_by
from .client import AsyncRecollect

Run: TypeAlias = RunContext[Any]


class RecollectMemory(AbstractCapability[Any]):
    """``user`` and ``session`` may be functions of the run's context; the session is the conversation unless given.
    ``tools=False`` gives the model no tools. The rest is that of ``AgentMemory``.
    """

    def __init__(
        self,
        client: AsyncRecollect,
        *,
        agent: str = "pydantic-ai",
        session: Name = None,
        tools: bool = True,
        **options: Any,
    ) -> None:
        self.id = "recollect"
        self._memory = AgentMemory(client, agent=agent, session=session or _conversation, **options)
        self._has_tools = tools
        self._known: str | None = None

    async def for_run(self, ctx: Run) -> RecollectMemory:
        run = copy(self)
        run._known = None
        return run

    async def before_run(self, ctx: Run) -> None:
        self._known = await self._memory.recall(_words_of(ctx.prompt), ctx)

    def get_instructions(self) -> Any:
        return lambda ctx: self._known

    def get_toolset(self) -> FunctionToolset[Any] | None:
        return FunctionToolset([_tool(tool) for tool in self._memory.tools]) if self._has_tools else None

    async def after_run(self, ctx: Run, *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        await self._memory.capture(_said_in(result), ctx)
        return result


def memory_tool(client: AsyncRecollect, **options: Any) -> Tool[Any]:
    """The six-command memory tool, for any model. Options: ``path``, ``team_id``, ``timeout``."""

    commands = AsyncFileCommands(client, **options)

    async def memory(**command: Any) -> str:
        try:
            return await commands.run(command)
        except Failed as failed:
            return f"Error: {failed}"

    return Tool.from_schema(memory, "memory", DESCRIPTION, SCHEMA, sequential=True)


def _conversation(ctx: Run) -> str | None:
    return ctx.conversation_id


def _tool(tool: AgentTool) -> Tool[Any]:
    async def run(ctx: Run, **arguments: Any) -> str:
        return await tool.run(arguments, ctx)

    return Tool.from_schema(run, tool.name, tool.description, tool.parameters, takes_ctx=True)


def _words_of(prompt: Any) -> str:
    """The text of a prompt, which may have images beside it."""
    parts = [prompt] if isinstance(prompt, str) else prompt or []
    return "\n".join(part for part in parts if isinstance(part, str))


def _said_in(result: AgentRunResult[Any]) -> list[Json]:
    """What the user and the model said, without instructions, thinking and tools."""
    said: list[Json] = []
    for message in result.new_messages():
        for part in message.parts:
            if isinstance(message, ModelRequest) and isinstance(part, UserPromptPart):
                said += said_by("user", _words_of(part.content), at=part.timestamp.isoformat())
            elif isinstance(part, TextPart):
                at = getattr(message, "timestamp", None)
                said += said_by("assistant", part.content, **({"at": at.isoformat()} if at else {}))
    return said
