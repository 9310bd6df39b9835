import json

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from recollect.openai_agents import RecollectMemory

from . import Call

set_tracing_disabled(True)


class Scripted(Model):
    def __init__(self, script):
        self.script = script

    async def get_response(self, system_instructions, input, *args, **kwargs):
        reply, at = self.script.next(f"{system_instructions}\n{input!r}"), len(self.script.prompts)
        if isinstance(reply, Call):
            arguments = json.dumps(reply.arguments)
            item = ResponseFunctionToolCall(arguments=arguments, call_id=f"c{at}", name=reply.tool, type="function_call")
        else:
            text = ResponseOutputText(annotations=[], text=reply, type="output_text")
            item = ResponseOutputMessage(id=f"m{at}", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


async def turn(client, words, script, *, user, session):
    agent = Agent(name="Helper", instructions="Help.", model=Scripted(script))
    if client:
        memory = RecollectMemory(client, user=lambda context: context["user"], session=lambda context: context["session"])
        agent = agent.clone(instructions=memory.instructions("Help."), tools=memory.tools, hooks=memory)
    return (await Runner.run(agent, words, context={"user": user, "session": session})).final_output
