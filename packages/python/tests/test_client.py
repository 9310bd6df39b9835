"""The client against a running server, whose address and key are in RECOLLECT_URL and RECOLLECT_API_KEY."""

import asyncio
import importlib
import pkgutil
import uuid
from datetime import UTC, datetime, timedelta

import pytest

import recollect
from recollect import AsyncRecollect, Conflict, InvalidRequest, InvalidToken, NotFound, Recollect
from recollect.generated.api.agents import register_agent
from recollect.generated.api.projects import accept_todo, create_todo, project_context
from recollect.generated.models import (
    AgentSelfRegistrationRequest,
    ProjectContextRequest,
    ProjectTodoCreateRequest,
)


@pytest.fixture
def memory():
    with Recollect(agent_id="python-tests") as client:
        yield client


@pytest.fixture
def path():
    return f"python/{uuid.uuid4()}"


@pytest.fixture
def name():
    """A name of this run's own: what recall has just shown is not stored again."""
    return f"Kestrel-{uuid.uuid4().hex[:8]}"


def test_every_module_can_be_imported():
    names = [m.name for m in pkgutil.walk_packages(recollect.__path__, "recollect.")]
    assert len(names) > 200
    for name in names:
        importlib.import_module(name)


def test_remembers_recalls_corrects_and_forgets(memory, path, name):
    fact = f"The gateway {name} listens on port 7443."
    expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    said = memory.remember(fact, path, metadata={"team": "edge"}, expires_at=expires)
    pack = memory.recall_context(f"On which port does the gateway {name} listen?", path=path, max_tokens=400)
    assert pack.context_text.startswith("### Recollect Context")
    assert "7443" in pack.context_text and pack.budget.used_tokens <= 400

    kept = memory.get(said.id)
    assert kept.metadata.additional_properties == {"team": "edge"} and kept.expires_at == expires
    assert kept.provenance.additional_properties["agent_id"] == "python-tests"
    again = memory.remember(fact, path)
    assert (again.id, again.deduplicated) == (said.id, True)

    corrected = fact.replace("7443", "8443")
    assert memory.update(said.id, content=corrected).version > kept.version
    found = memory.search(f"port of {name}", path=path).results
    assert [result.content for result in found] == [corrected]
    assert memory.why(said.id, f"port of {name}", path=path).found is True
    elsewhere = memory.why(said.id, f"port of {name}", path="another/path")
    assert elsewhere.outcome == "filtered" and elsewhere.reasons

    assert memory.forget(said.id, mode="hard_delete", reason="a test").reversible is False
    with pytest.raises(NotFound):
        memory.get(said.id)


def test_iterates_over_all_pages(memory, path):
    ids = {memory.remember(f"Shelf {at} of the archive holds volume {at * 7}.", path).id for at in range(7)}
    listed = [found.id for found in memory.memories(path=path, page=3)]
    assert len(listed) == 7 and set(listed) == ids


def test_a_refusal_is_raised_by_its_code(memory, path):
    with pytest.raises(InvalidRequest) as refused:
        memory.remember("", path)
    assert refused.value.code == "validation_failed" and refused.value.status == 422
    assert [issue.loc for issue in refused.value.issues] == [("body", "content")]
    assert refused.value.request_id

    with pytest.raises(TypeError, match="semantic_kye"):
        memory.remember("Something", path, semantic_kye="x")

    with Recollect(api_key="no-key-at-all") as stranger, pytest.raises(InvalidToken) as unknown:
        stranger.search("anything")
    assert unknown.value.code == "invalid_token"


def test_generated_operations_have_the_same_errors(memory, path):
    project = f"python-{uuid.uuid4()}"
    todo = create_todo.sync(project, client=memory.api, body=ProjectTodoCreateRequest(content="Label the shelves"))
    accepted = accept_todo.sync(project, todo.todo_id, client=memory.api)
    assert accepted.status == "accepted"
    with Recollect(agent_id="somebody-else") as other, pytest.raises(Conflict) as taken:
        accept_todo.sync(project, todo.todo_id, client=other.api)
    assert taken.value.code == "already_accepted"
    pack = project_context.sync(project, client=memory.api, body=ProjectContextRequest(max_tokens=800))
    assert "Label the shelves" in pack.context_text
    registration = AgentSelfRegistrationRequest(
        entry_type="cli", client_name="Python tests", installation_fingerprint=str(uuid.uuid4())
    )
    assert register_agent.sync(client=memory.api, body=registration).status == "pending"


def test_async_does_the_same(path, name):
    async def run():
        async with AsyncRecollect() as memory:
            facts = [f"Crate {at} of {name} stands in hall {at + 10}." for at in range(5)]
            await asyncio.gather(*(memory.remember(fact, path) for fact in facts))
            pack = await memory.recall_context(f"Where does crate 3 of {name} stand?", path=path)
            assert "hall 13" in pack.context_text
            assert len([found async for found in memory.memories(path=path, page=2)]) == 5
            results = (await memory.search(f"crate 3 of {name}", path=path)).results
            assert (await memory.get(results[0].id)).path == path
            assert (await memory.why(results[0].id, f"crate 3 of {name}")).found is True
            assert (await memory.update(results[0].id, importance=0.9)).importance == 0.9
            assert (await memory.forget(results[0].id)).reversible is True
            with pytest.raises(InvalidRequest):
                await memory.remember("", path)

    asyncio.run(run())


def test_the_end_user_is_named_in_every_request():
    with Recollect(user="ada") as memory, memory.for_user("grace") as other:
        assert memory.api.get_httpx_client().headers["x-user-id"] == "ada"
        assert other.api.get_httpx_client().headers["x-user-id"] == "grace"


def test_one_client_serves_several_event_loops():
    """A connection of a loop that has ended fails on the next one, with httpx alone at every other call."""
    memory = AsyncRecollect()
    for _ in range(3):
        assert asyncio.run(memory.recall_context("Where do kestrels nest?")).context_text
    asyncio.run(memory.close())
