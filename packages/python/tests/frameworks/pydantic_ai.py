from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from recollect.pydantic_ai import RecollectMemory

from . import Call


async def turn(client, words, script, *, user, session):
    def answer(messages, info):
        reply = script.next(messages)
        part = ToolCallPart(reply.tool, reply.arguments) if isinstance(reply, Call) else TextPart(reply)
        return ModelResponse([part])

    capabilities = [RecollectMemory(client, user=lambda run: run.deps)] if client else []
    agent = Agent(FunctionModel(answer), deps_type=str, instructions="Help.", capabilities=capabilities)
    return (await agent.run(words, deps=user, conversation_id=session)).output
