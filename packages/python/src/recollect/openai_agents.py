"""Recollect for the OpenAI Agents SDK: it recalls before a run, captures after it, and gives the model three tools::

    memory = RecollectMemory(client, user=lambda context: context.user_id)
    agent = Agent(name="Helper", instructions=memory.instructions("Help."), tools=memory.tools, hooks=memory)

A ``Session`` of the SDK is an exact history, and stays beside this.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from agents import Agent, AgentHookContext, AgentHooks, FunctionTool, RunContextWrapper

from .agent_memory import AgentMemory, AgentTool, said_by
from .client import AsyncRecollect

Run: TypeAlias = RunContextWrapper[Any]


class RecollectMemory(AgentHooks[Any]):
    """``user`` and ``session`` may be functions of the context that was passed to ``Runner.run``. The rest is that of
    ``AgentMemory``.
    """

    def __init__(self, client: AsyncRecollect, *, agent: str = "openai-agents", **options: Any) -> None:
        self._memory = AgentMemory(client, agent=agent, **options)
        self._known: WeakKeyDictionary[Run, str | None] = WeakKeyDictionary()
        self.tools: list[Any] = [_tool(tool) for tool in self._memory.tools]

    def instructions(self, own: str) -> Callable[[Run, Agent[Any]], Awaitable[str]]:
        """The agent's own instructions, and below them what is known about the run's input."""

        async def instruct(run: Run, agent: Agent[Any]) -> str:
            # The SDK asks at every step of a run.
            if run not in self._known:
                self._known[run] = await self._memory.recall(_asked(run.turn_input), run.context)
            known = self._known[run]
            return f"{own}\n\n{known}" if known else own

        return instruct

    async def on_end(self, context: AgentHookContext[Any], agent: Agent[Any], output: Any) -> None:
        said = said_by("user", _asked(context.turn_input))
        answer = output if isinstance(output, str) else ""
        await self._memory.capture([*said, *said_by("assistant", answer)], context.context)


def _tool(tool: AgentTool) -> FunctionTool:
    async def invoke(run: Run, arguments: str) -> str:
        return await tool.run(json.loads(arguments or "{}"), run.context)

    return FunctionTool(tool.name, tool.description, tool.parameters, invoke, strict_json_schema=False)


def _asked(items: list[Any]) -> str:
    """The text of the user's last message."""
    for item in reversed(items):
        if isinstance(item, dict) and item.get("role") == "user":
            content = item.get("content")
            parts = content if isinstance(content, list) else [{"text": content}]
            return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    return ""
