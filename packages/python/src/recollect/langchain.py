"""The six-command memory tool for LangChain: for ``create_agent``, LangGraph and any model::

    agent = create_agent(model, tools=[memory_tool(client)])
"""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from ._memory_commands import DESCRIPTION, SCHEMA, AsyncFileCommands, Failed, FileCommands
from .client import AsyncRecollect, Recollect


def memory_tool(client: Recollect | AsyncRecollect, **options: Any) -> BaseTool:
    """Files of the model, each a memory. With an ``AsyncRecollect`` for ``ainvoke`` only. Options: ``path``, ``team_id``,
    ``timeout``. What fails is an error message for the model.
    """
    common: dict[str, Any] = {"name": "memory", "description": DESCRIPTION, "args_schema": SCHEMA}
    if isinstance(client, Recollect):
        commands = FileCommands(client, **options)

        def memory(**command: Any) -> str:
            try:
                return commands.run(command)
            except Failed as failed:
                raise ToolException(f"Error: {failed}") from failed

        return StructuredTool.from_function(memory, handle_tool_error=True, **common)
    waiting = AsyncFileCommands(client, **options)

    async def wait_for_memory(**command: Any) -> str:
        try:
            return await waiting.run(command)
        except Failed as failed:
            raise ToolException(f"Error: {failed}") from failed

    return StructuredTool.from_function(coroutine=wait_for_memory, handle_tool_error=True, **common)
