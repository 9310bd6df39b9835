"""Recollect as a memory store of Strands, whose ``MemoryManager`` recalls before the model is called and captures after each
turn::

    agent = Agent(memory_manager=MemoryManager([RecollectStore(memory, user="ada")], search_tool_config=False))
"""

from __future__ import annotations

from typing import Any

from strands.memory import (
    AddMessagesContext,
    ExtractionConfig,
    InvocationTrigger,
    MemoryEntry,
    MemoryStore,
    SearchOptions,
)
from strands.tools.tools import PythonAgentTool
from strands.types.content import Message
from strands.types.tools import AgentTool as StrandsTool
from strands.types.tools import ToolResult, ToolUse

from .agent_memory import AgentMemory, AgentTool, said_by
from .client import AsyncRecollect


class RecollectStore(MemoryStore):
    """``user`` and ``session`` are fixed, as a manager is one agent's; the rest is that of ``AgentMemory``."""

    def __init__(
        self, client: AsyncRecollect, *, name: str = "recollect", agent: str = "strands", **options: Any
    ) -> None:
        self.name = name
        self.description = "What is known from earlier conversations about people, projects, preferences and decisions"
        self.max_search_results = None
        self.writable = True
        self.extraction = ExtractionConfig(trigger=InvocationTrigger())
        self._memory = AgentMemory(client, agent=agent, **options)

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        wanted = (options or {}).get("max_search_results")
        items, _ = await self._memory.pack(query, **({"max_items": wanted} if wanted else {}))
        return [MemoryEntry(item["content"], metadata={"id": item["id"], "path": item.get("path")}) for item in items]

    async def add_messages(self, messages: list[Message], context: AddMessagesContext | None = None) -> None:
        texts = [(message["role"], [part["text"] for part in message["content"] if "text" in part]) for message in messages]
        await self._memory.capture([said for role, parts in texts for said in said_by(role, "\n".join(parts))])

    def get_tools(self) -> list[StrandsTool]:
        return [_tool(tool) for tool in self._memory.tools]


def _tool(tool: AgentTool) -> StrandsTool:
    async def run(use: ToolUse, **_: Any) -> ToolResult:
        text = await tool.run(use["input"])
        return {"toolUseId": use["toolUseId"], "status": "success", "content": [{"text": text}]}

    schema = {"json": tool.parameters}
    return PythonAgentTool(tool.name, {"name": tool.name, "description": tool.description, "inputSchema": schema}, run)
