from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools import preload_memory_tool
from google.genai import types
from pydantic import PrivateAttr

from recollect.google_adk import RecollectMemoryService, save_turn

from . import Call


class Scripted(BaseLlm):
    _script = PrivateAttr()

    async def generate_content_async(self, llm_request, stream=False):
        reply = self._script.next(f"{llm_request.config.system_instruction}\n{llm_request.contents!r}")
        if isinstance(reply, Call):
            part = types.Part(function_call=types.FunctionCall(name=reply.tool, args=reply.arguments))
        else:
            part = types.Part(text=reply)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def turn(client, words, script, *, user, session):
    service, model = RecollectMemoryService(client) if client else None, Scripted(model="scripted")
    model._script = script
    with_memory = {}
    if service:
        tools = [preload_memory_tool.preload_memory_tool, *service.tools]
        with_memory = {"tools": tools, "after_agent_callback": save_turn}
    agent = LlmAgent(name="helper", model=model, instruction="Help.", **with_memory)
    sessions = InMemorySessionService()
    runner = Runner(app_name="tests", agent=agent, session_service=sessions, memory_service=service)
    await sessions.create_session(app_name="tests", user_id=user, session_id=session)
    said = types.Content(role="user", parts=[types.Part(text=words)])
    answer = ""
    async for event in runner.run_async(user_id=user, session_id=session, new_message=said):
        if event.is_final_response() and event.content:
            answer = event.content.parts[0].text
    return answer
