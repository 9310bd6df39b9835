"""Rules of every integration, in whole turns of the real packages with a scripted model."""

import asyncio
import importlib
import time
import uuid

import pytest

from recollect import AsyncRecollect, Recollect
from recollect.agent_memory import AgentMemory

from frameworks import Call, Script

FRAMEWORKS = {
    "pydantic_ai": "pydantic_ai",
    "openai_agents": "agents",
    "google_adk": "google.adk",
    "llama_index": "llama_index.core",
    "strands": "strands",
    "agent_framework": "agent_framework",
}
#: Requests of one turn, each with its deadline: recall, and capture. Of several steps, only the first waits.
HANGING = 2 * 1.5


@pytest.fixture(params=FRAMEWORKS)
def turn(request):
    pytest.importorskip(FRAMEWORKS[request.param])
    return importlib.import_module(f"frameworks.{request.param}").turn


@pytest.fixture
def user():
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def memory(user):
    with Recollect(user=user) as client:
        yield client


def run(turn, words, *replies, user, session=None, url=None):
    """The answer of a turn, the prompts of its steps, and the paths that were asked for."""
    script, paths = Script(list(replies)), []

    async def whole():
        async with AsyncRecollect(url=url, **({"api_key": "none"} if url else {})) as client:

            async def note(request):
                paths.append(request.url.path)

            client.api.get_async_httpx_client().event_hooks["request"].append(note)
            return await turn(client, words, script, user=user, session=session or str(uuid.uuid4()))

    return asyncio.run(whole()), script.prompts, paths


def stored(memory):
    return sorted((one.source, one.content) for one in memory.memories(path_under="conversations"))


def test_recalls_before_the_model_answers_and_captures_after(turn, memory, user):
    memory.remember("Apollo is deployed on Thursdays.", "team/deploys")
    answer, prompts, paths = run(
        turn, "When is Apollo deployed? I am Odalys, by the way.", "On Thursdays, Odalys. Noted.", user=user
    )
    assert answer == "On Thursdays, Odalys. Noted."
    assert "Apollo is deployed on Thursdays." in prompts[0] and len(prompts) == 1
    assert paths == ["/v1/recall/context", "/v1/conversations"]
    assert [content for _, content in stored(memory)] == [
        "On Thursdays, Odalys. Noted.",
        "When is Apollo deployed? I am Odalys, by the way.",
    ]


def test_a_turn_of_several_steps_recalls_once_and_captures_what_was_said(turn, memory, user, request):
    steps = [Call("recall_context", {"query": "What does Odalys keep?"}), "I found nothing about falcons."]
    _, prompts, paths = run(turn, "Does Odalys keep falcons at home?", *steps, user=user)
    assert len(prompts) == 2 and len(stored(memory)) == 2
    # ADK's own tool asks at every step, and the model's tool asks once more.
    recalls = 3 if "google_adk" in request.node.name else 2
    assert paths == ["/v1/recall/context"] * recalls + ["/v1/conversations"]


def test_an_echo_of_what_was_recalled_is_not_stored_again(turn, memory, user):
    fact = "Apollo is deployed on Thursdays at noon."
    memory.remember(fact, "team/deploys")
    _, prompts, _ = run(turn, "When exactly is Apollo deployed these days?", fact, user=user)
    assert fact in prompts[0]
    assert [content for _, content in stored(memory)] == ["When exactly is Apollo deployed these days?"]


def test_the_model_remembers_recalls_and_forgets(turn, memory, user):
    step = Call("remember", {"content": "Odalys keeps kestrels."})
    run(turn, "Please note down which birds I have.", step, "Kept.", user=user)
    [note] = [one for one in memory.memories() if one.path.startswith("notes/")]
    assert note.content == "Odalys keeps kestrels."
    asked, forget = Call("recall_context", {"query": "What does Odalys keep?"}), Call("forget_memory", {"memory_id": note.id})
    _, prompts, _ = run(turn, "Forget about my birds.", asked, forget, "Forgotten.", user=user)
    assert note.id in prompts[1] and f"Forgotten: {note.id}" in prompts[2]
    assert note.id not in [one.id for one in memory.memories()]


def test_a_wrong_call_of_a_tool_is_answered_in_words(turn, user):
    wrong = [Call("remember", {"path": "notes"}), "So be it."]
    answer, prompts, _ = run(turn, "Note down where the falcons are.", *wrong, user=user)
    assert answer == "So be it."
    # Agent Framework checks arguments itself.
    assert "content must be" in prompts[1] or "Argument parsing failed" in prompts[1]


def test_end_users_do_not_see_each_other(turn, memory, user):
    memory.remember("Odalys' safe is behind the painting.", "private")
    _, prompts, _ = run(turn, "Where is the safe of Odalys?", "I do not know.", user=f"{user}-other")
    assert "painting" not in prompts[0] and stored(memory) == []


def test_a_turn_goes_on_if_the_service_is_away(turn, user, away):
    kind, url = away
    began = time.monotonic()
    answer, prompts, _ = run(turn, "When is Apollo deployed?", "I do not know.", user=user, url=url)
    took = time.monotonic() - began
    assert answer == "I do not know." and len(prompts) == 1 and "From Recollect" not in prompts[0]
    assert took < (HANGING if kind == "hanging" else 0) + 1.5


@pytest.mark.parametrize("away", ["hanging"], indirect=True)
def test_only_the_first_recall_of_a_turn_waits_for_a_service_that_hangs(turn, user, away):
    steps = [Call("recall_context", {"query": "What does Odalys keep?"}), "So be it."]
    answer, prompts, paths = run(turn, "Do the kestrels of Odalys bite?", *steps, user=user, url=away[1])
    assert answer == "So be it." and "did not answer in time" in prompts[1]
    assert paths.count("/v1/recall/context") == 1


@pytest.mark.parametrize("away", ["down"], indirect=True)
def test_a_tool_says_so_if_the_service_is_away(turn, user, away):
    step = Call("remember", {"content": "Odalys keeps kestrels."})
    answer, prompts, _ = run(turn, "Odalys keeps kestrels.", step, "So be it.", user=user, url=away[1])
    assert answer == "So be it." and ("did not answer in time" in prompts[1] or "It was not done" in prompts[1])


def test_limits_of_recall_hold_for_the_model_too(memory, user):
    memory.remember("Odalys' safe is behind the painting.", "private")
    memory.remember("Odalys' desk is behind the door.", "office")

    async def recalled():
        async with AsyncRecollect() as client:
            limited = AgentMemory(client, agent="tests", user=user, recall={"path": "office"})
            asked = "What is behind the painting or the door?"
            return [await limited.recall(asked), await limited.tools[0].run({"query": asked})]

    for text in asyncio.run(recalled()):
        assert "desk" in text and "safe" not in text


def test_a_run_without_a_user_has_no_memory(memory, user):
    async def run():
        async with AsyncRecollect() as client:
            nobody = AgentMemory(client, agent="tests", user=lambda _: None)
            await nobody.capture([{"role": "user", "content": f"The safe of {user} is behind the painting."}])
            return await nobody.recall("Where is the safe?")

    assert asyncio.run(run()) is None
    with Recollect() as own:
        assert user not in own.recall_context(f"Where is the safe of {user}?").context_text
