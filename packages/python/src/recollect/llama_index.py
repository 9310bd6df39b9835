"""Recollect for LlamaIndex: a memory block that recalls what is known about the user's last message, and a ``Memory`` that
also captures each turn::

    memory = RecollectMemory.from_defaults(session_id="ada-1", memory_blocks=[RecollectBlock(client, user="ada")])
    await agent.run("When do we deploy?", memory=memory)
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import BaseMemoryBlock, Memory
from llama_index.core.tools import FunctionTool, ToolMetadata
from pydantic import PrivateAttr, create_model

from .agent_memory import AgentMemory, AgentTool, Json, said_by
from .client import AsyncRecollect


class RecollectBlock(BaseMemoryBlock[str]):
    """Recalls once for each message of the user. In a plain ``Memory`` it captures what no longer fits into the history.
    ``user`` and ``session`` are fixed; the rest is that of ``AgentMemory``.
    """

    _memory: AgentMemory = PrivateAttr()
    _recalled: tuple[tuple[int, str], str] = PrivateAttr(default=((0, ""), ""))

    def __init__(
        self, client: AsyncRecollect, *, name: str = "recollect", agent: str = "llama-index", **options: Any
    ) -> None:
        super().__init__(name=name)
        self._memory = AgentMemory(client, agent=agent, **options)

    @property
    def tools(self) -> list[FunctionTool]:
        return [_tool(tool) for tool in self._memory.tools]

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        said = [message.content or "" for message in messages or [] if message.role == "user"]
        # An agent asks several times in a turn, and at times names the user's message beside the history that has it.
        asked = [text for text, _ in groupby(said)]
        turn = (len(asked), asked[-1] if asked else "")
        if self._recalled[0] != turn:
            self._recalled = (turn, await self._memory.recall(turn[1]) or "")
        return self._recalled[1]

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await self._memory.capture([said for message in messages for said in _said(message)])


class RecollectMemory(Memory):
    """Captures a turn when the agent has answered, in the blocks that are Recollect's."""

    _turn: list[ChatMessage] = PrivateAttr(default_factory=list)

    async def aput(self, message: ChatMessage) -> None:
        await super().aput(message)
        await self._capture([message])

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        await super().aput_messages(messages)
        await self._capture(messages)

    async def _capture(self, messages: list[ChatMessage]) -> None:
        self._turn += messages
        if not any(message.role == "assistant" and _said(message) for message in messages):
            return
        turn, self._turn = self._turn, []
        for block in self.memory_blocks:
            if isinstance(block, RecollectBlock):
                await block._aput(turn)


def _said(message: ChatMessage) -> list[Json]:
    """What the user or the model said: a message that only calls tools has no text."""
    return said_by(message.role.value, message.content or "") if message.role in ("user", "assistant") else []


def _tool(tool: AgentTool) -> FunctionTool:
    async def run(**arguments: Any) -> str:
        return await tool.run(arguments)

    required = tool.parameters["required"]
    fields: Any = {name: (str, ...) if name in required else (str | None, None) for name in tool.parameters["properties"]}
    schema = create_model(tool.name, **fields)
    return FunctionTool(async_fn=run, metadata=ToolMetadata(tool.description, tool.name, fn_schema=schema))
