"""Remembers, recalls, corrects and registers by a client that was generated from /openapi.json, with the generator's own defaults:
python walk_readme.py URL KEY, beside the package `recollect_client`."""

import importlib
import pkgutil
import sys

import recollect_client
from recollect_client import Client
from recollect_client.api.agents import register_agent
from recollect_client.api.memories import remember, update_memory
from recollect_client.api.recall import recall_context, search_memories
from recollect_client.models import (
    AgentSelfRegistrationRequest,
    MemoryRememberAnswer,
    MemoryRememberRequest,
    MemoryUpdateRequest,
    OwnersContext,
    RecallContextRequest,
    SearchAnswer,
    UpdatedMemory,
    ValidationError,
)

# What nobody imports may still not be importable.
for module in pkgutil.walk_packages(recollect_client.__path__, "recollect_client."):
    importlib.import_module(module.name)

url, key = sys.argv[1:]
client = Client(base_url=url, headers={"X-API-Key": key})

remembered = remember.sync(
    client=client,
    body=MemoryRememberRequest(
        content="Deploys go out on Tuesdays", path="team/deploys", semantic_key="deploy-day"
    ),
)
assert isinstance(remembered, MemoryRememberAnswer), remembered

found = search_memories.sync(client=client, query="when do we deploy")
assert isinstance(found, SearchAnswer), found
assert remembered.id in [result.id for result in found.results], found

pack = recall_context.sync(
    client=client,
    body=RecallContextRequest(query="when do we deploy?", max_items=8, max_tokens=1500),
)
assert isinstance(pack, OwnersContext), pack
assert "Tuesdays" in pack.context_text, pack

changed = update_memory.sync(
    client=client, memory_id=remembered.id, body=MemoryUpdateRequest(importance=0.9)
)
assert isinstance(changed, UpdatedMemory), changed
assert changed.importance == 0.9, changed

registered = register_agent.sync(
    client=client,
    body=AgentSelfRegistrationRequest(
        entry_type="cli", client_name="My agent", installation_fingerprint="laptop-7f3a"
    ),
)
assert registered is not None and registered.status == "pending", registered

refused = remember.sync(client=client, body=MemoryRememberRequest(content="", path="team/deploys"))
assert isinstance(refused, ValidationError), refused
