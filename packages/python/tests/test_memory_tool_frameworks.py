"""The six-command memory tool in whole turns of Pydantic AI and LangChain."""

import asyncio
import time
import uuid

import pytest

pytest.importorskip("langchain")
pytest.importorskip("pydantic_ai")

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from recollect import AsyncRecollect, Recollect, Retries
from recollect import langchain as of_langchain
from recollect import pydantic_ai as of_pydantic_ai

NAME = "/memories/odalys.md"
COMMANDS = [
    {"command": "create", "path": NAME, "file_text": "Odalys keeps falcons.\n"},
    {"command": "str_replace", "path": NAME, "old_str": "falcons", "new_str": "kestrels"},
    {"command": "insert", "path": NAME, "insert_line": 1, "insert_text": "She lives in Porto."},
    {"command": "rename", "old_path": NAME, "new_path": "/memories/people/odalys.md"},
    {"command": "view", "path": "/memories/people/odalys.md"},
    {"command": "delete", "path": "/memories/people/odalys.md"},
    {"command": "view", "path": NAME},
    {"command": "create", "path": NAME},
]


class Scripted(BaseChatModel):
    """Calls the tool with the commands, one after another, then ends."""

    commands: list

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        at = sum(message.type == "tool" for message in messages)
        calls = [{"name": "memory", "args": self.commands[at], "id": f"t{at}"}] if at < len(self.commands) else []
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Done.", tool_calls=calls))])


def of_langchain_turn(commands, is_async, path, **connection):
    message = {"messages": [{"role": "user", "content": "Use your memory."}]}

    async def run():
        async with AsyncRecollect(**connection) as client:
            tool = of_langchain.memory_tool(client, path=path, timeout=1)
            return await create_agent(Scripted(commands=commands), tools=[tool]).ainvoke(message)

    if is_async:
        turn = asyncio.run(run())
    else:
        with Recollect(**connection) as client:
            tool = of_langchain.memory_tool(client, path=path, timeout=1)
            turn = create_agent(Scripted(commands=commands), tools=[tool]).invoke(message)
    assert turn["messages"][-1].content == "Done."
    return [message.content for message in turn["messages"] if message.type == "tool"]


def of_pydantic_ai_turn(commands, _, path, **connection):
    answers = []

    def answer(messages, info):
        answers.extend(part.content for part in messages[-1].parts if part.part_kind == "tool-return")
        at = len(answers)
        return ModelResponse([ToolCallPart("memory", commands[at]) if at < len(commands) else TextPart("Done.")])

    async def run():
        async with AsyncRecollect(**connection) as client:
            tool = of_pydantic_ai.memory_tool(client, path=path, timeout=1)
            return await Agent(FunctionModel(answer), tools=[tool]).run("Use your memory.")

    assert asyncio.run(run()).output == "Done."
    return answers


@pytest.mark.parametrize(
    ("turn", "is_async"), [(of_langchain_turn, False), (of_langchain_turn, True), (of_pydantic_ai_turn, True)]
)
def test_a_turn_carries_out_all_six_commands(turn, is_async):
    created, replaced, inserted, renamed, viewed, deleted, missing, wrong = turn(
        COMMANDS, is_async, f"files/{uuid.uuid4()}"
    )
    assert created == f"File created successfully at: {NAME}" and "kestrels" in replaced
    assert inserted == f"The file {NAME} has been edited."
    assert renamed.startswith("Successfully renamed") and deleted.startswith("Successfully deleted")
    assert "Odalys keeps kestrels." in viewed and "She lives in Porto." in viewed
    assert missing == f"Error: The path {NAME} does not exist. Please provide a valid path."
    assert wrong == "Error: The command create needs file_text."


@pytest.mark.parametrize(
    ("turn", "is_async"), [(of_langchain_turn, False), (of_langchain_turn, True), (of_pydantic_ai_turn, True)]
)
def test_a_turn_goes_on_without_the_service(turn, is_async):
    began = time.monotonic()
    down = {"url": "http://127.0.0.1:9", "api_key": "none", "retries": Retries(times=0)}
    [answer] = turn([{"command": "view", "path": "/memories"}], is_async, "files", **down)
    assert answer.startswith("Error: The memory service failed.") and time.monotonic() - began < 5
