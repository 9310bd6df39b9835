import json

from strands import Agent
from strands.memory import MemoryManager
from strands.models import Model

from recollect.strands import RecollectStore

from . import Call


class Scripted(Model):
    def __init__(self, script):
        self.script = script

    def update_config(self, **config):
        pass

    def get_config(self):
        return {}

    async def structured_output(self, *args, **kwargs):
        raise NotImplementedError
        yield

    async def stream(self, messages, tool_specs=None, system_prompt=None, **kwargs):
        reply = self.script.next(f"{system_prompt}\n{messages!r}")
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(reply, Call):
            tool = {"name": reply.tool, "toolUseId": f"t{len(self.script.prompts)}"}
            yield {"contentBlockStart": {"start": {"toolUse": tool}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(reply.arguments)}}}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": reply}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if isinstance(reply, Call) else "end_turn"}}


async def turn(client, words, script, *, user, session):
    managers = []
    if client:
        store = RecollectStore(client, user=user, session=session)
        managers = [MemoryManager(stores=[store], search_tool_config=False)]
    agent = Agent(
        model=Scripted(script), system_prompt="Help.", callback_handler=None, memory_manager=next(iter(managers), None)
    )
    answer = await agent.invoke_async(words)
    for manager in managers:
        await manager.flush()
    return str(answer).strip()
