from agent_framework import Agent, AgentSession, BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message

from recollect.agent_framework import RecollectProvider

from . import Call


class Scripted(FunctionInvocationLayer, BaseChatClient):
    def __init__(self, script):
        super().__init__()
        self.script = script

    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        async def answer():
            said = [(str(one.role), one.text, [content.result for content in one.contents if content.type == "function_result"]) for one in messages]
            reply = self.script.next(f"{options.get('instructions')}\n{said!r}")
            if isinstance(reply, Call):
                at = f"c{len(self.script.prompts)}"
                contents = [Content.from_function_call(at, reply.tool, arguments=reply.arguments)]
            else:
                contents = [Content.from_text(reply)]
            return ChatResponse(messages=[Message("assistant", contents)])

        return answer()


async def turn(client, words, script, *, user, session):
    providers = [RecollectProvider(client, user=lambda run: run.state["user"])] if client else []
    agent = Agent(Scripted(script), "Help.", context_providers=providers)
    run = AgentSession(session_id=session)
    run.state["user"] = user
    return (await agent.run(words, session=run)).text
