"""Recollect as the memory service of Google's Agent Development Kit::

    service = RecollectMemoryService(memory)
    agent = LlmAgent(..., tools=[preload_memory_tool, *service.tools], after_agent_callback=save_turn)
    runner = Runner(agent=agent, memory_service=service, ...)

``preload_memory_tool``, which is ADK's own, recalls before the model is called; ``save_turn`` captures after the turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from .agent_memory import AgentMemory, AgentTool, Json, Name, said_by
from .client import AsyncRecollect


@dataclass(frozen=True)
class Scope:
    """Whose memory it is, in the words of ADK."""

    app_name: str
    user_id: str
    session_id: str | None = None


def _user(scope: Scope) -> str:
    return scope.user_id


def _session(scope: Scope) -> str | None:
    return scope.session_id


class RecollectMemoryService(BaseMemoryService):
    """Each ``user_id`` of ADK is an end user, which needs a key with ``users:act``. ``user`` may be another function of
    the ``Scope``; with None, all is in the space of the key. The rest is that of ``AgentMemory``.
    """

    def __init__(
        self, client: AsyncRecollect, *, agent: str = "google-adk", user: Name = _user, **options: Any
    ) -> None:
        self._memory = AgentMemory(client, agent=agent, user=user, session=_session, **options)
        self.tools: list[BaseTool] = [_Tool(tool) for tool in self._memory.tools]

    async def add_session_to_memory(self, session: Session) -> None:
        scope = Scope(session.app_name, session.user_id, session.id)
        await self._memory.capture(_said_in(session.events), scope)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        await self._memory.capture(_said_in(events), Scope(app_name, user_id, session_id))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        items, _ = await self._memory.pack(query, Scope(app_name, user_id))
        return SearchMemoryResponse(memories=[_entry(item) for item in items])


async def save_turn(callback_context: CallbackContext) -> None:
    """Captures what was said in this turn: for ``after_agent_callback``."""
    turn = callback_context.invocation_id
    events = [event for event in callback_context.session.events if event.invocation_id == turn]
    await callback_context.add_events_to_memory(events=events)


class _Tool(BaseTool):
    def __init__(self, tool: AgentTool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.parameters
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> str:
        session = tool_context.session
        return await self._tool.run(args, Scope(session.app_name, session.user_id, session.id))


def _said_in(events: Sequence[Event]) -> list[Json]:
    """What was said, without thinking, tools and parts of a message that came whole later."""
    said: list[Json] = []
    for event in events:
        parts = event.content.parts if event.content and not event.partial else None
        text = "\n".join(part.text for part in parts or [] if part.text and not part.thought)
        role = "user" if event.author == "user" else "assistant"
        at = datetime.fromtimestamp(event.timestamp, timezone.utc).isoformat()
        said += said_by(role, text, name=event.author, id=event.id, at=at)
    return said


def _entry(item: Json) -> MemoryEntry:
    return MemoryEntry(
        id=item["id"],
        content=types.Content(role="user", parts=[types.Part(text=item["content"])]),
        author=item.get("source"),
        timestamp=(item.get("metadata") or {}).get("occurred_at") or item.get("created_at"),
    )
