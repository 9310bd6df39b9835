from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from pydantic import PrivateAttr

from recollect.llama_index import RecollectBlock, RecollectMemory

from . import Call


class Scripted(FunctionCallingLLM):
    _script = PrivateAttr()

    @property
    def metadata(self):
        return LLMMetadata(is_function_calling_model=True)

    def _prepare_chat_with_tools(self, tools, user_msg=None, chat_history=None, **kwargs):
        return {"messages": chat_history or []}

    async def achat(self, messages, **kwargs):
        reply = self._script.next([(message.role.value, message.content) for message in messages])
        called = [reply] if isinstance(reply, Call) else []
        message = ChatMessage(role="assistant", content="" if called else reply)
        return ChatResponse(message=message, raw={"calls": called})

    async def achat_with_tools(self, tools, user_msg=None, chat_history=None, **kwargs):
        return await self.achat(chat_history)

    def get_tool_calls_from_response(self, response, error_on_no_tool_call=True, **kwargs):
        calls = response.raw["calls"]
        return [ToolSelection(tool_id="t", tool_name=call.tool, tool_kwargs=call.arguments) for call in calls]

    def chat(self, messages, **kwargs):
        raise NotImplementedError

    complete = stream_chat = stream_complete = acomplete = astream_complete = astream_chat = chat


async def turn(client, words, script, *, user, session):
    blocks, model = [RecollectBlock(client, user=user, session=session)] if client else [], Scripted()
    model._script = script
    memory = RecollectMemory.from_defaults(session_id=session, memory_blocks=blocks)
    tools = [tool for block in blocks for tool in block.tools]
    agent = FunctionAgent(llm=model, tools=tools, system_prompt="Help.", streaming=False)
    return str(await agent.run(words, memory=memory))
