"""Recollect as a context provider of Microsoft's Agent Framework: it recalls before a run, captures after it, and gives the
model three tools::

    agent = Agent(chat_client, context_providers=[RecollectProvider(memory, user=lambda session: session.state["user"])])
"""

from __future__ import annotations

from typing import Any

from agent_framework import AgentSession, ContextProvider, FunctionTool, Message, SessionContext

from .agent_memory import AgentMemory, AgentTool, Name, said_by
from .client import AsyncRecollect


class RecollectProvider(ContextProvider):
    """``user`` and ``session`` may be functions of the run's ``AgentSession``; the session is its id unless given. The rest
    is that of ``AgentMemory``.
    """

    def __init__(
        self, client: AsyncRecollect, *, agent: str = "agent-framework", session: Name = None, **options: Any
    ) -> None:
        super().__init__("recollect")
        self._memory = AgentMemory(client, agent=agent, session=session or _session_id, **options)

    async def before_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        asked = [message.text for message in context.input_messages if message.role == "user"]
        known = await self._memory.recall("\n".join(asked), session)
        if known:
            context.extend_instructions(self.source_id, known)
        context.extend_tools(self.source_id, [_tool(tool, session) for tool in self._memory.tools])

    async def after_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        answered: list[Message] = context.response.messages if context.response else []
        said = [said_by(str(message.role), message.text) for message in [*context.input_messages, *answered]]
        await self._memory.capture([message for messages in said for message in messages], session)


def _session_id(session: AgentSession) -> str:
    return session.session_id


def _tool(tool: AgentTool, session: AgentSession) -> FunctionTool:
    async def run(**arguments: Any) -> str:
        return await tool.run(arguments, session)

    return FunctionTool(name=tool.name, description=tool.description, func=run, input_model=tool.parameters)
