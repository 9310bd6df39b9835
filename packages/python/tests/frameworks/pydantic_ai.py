from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from recollect.pydantic_ai import RecollectMemory

from . import Call


async def turn(client, words, script, *, user, session):
    def answer(messages, info):
        reply = script.next(f"{info.instructions}\n{messages!r}")
        part = ToolCallPart(reply.tool, reply.arguments) if isinstance(reply, Call) else TextPart(reply)
        return ModelResponse([part])

    memory = RecollectMemory(client, user=lambda run: run.deps)
    agent = Agent(FunctionModel(answer), deps_type=str, instructions="Help.", capabilities=[memory])
    return (await agent.run(words, deps=user, conversation_id=session)).output
