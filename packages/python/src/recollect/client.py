"""The few calls that most programs need; ``api`` is for all others.

Members that are not named here (``bucket``, ``semantic_key``, ``metadata``, …) are those of the request in the service's own
description, as JSON has them; a time may be a ``datetime``. One that the request does not have is a TypeError. Every call raises the errors of ``recollect.errors``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from typing import Any, Protocol, TypeVar, overload
from uuid import UUID

from .connection import Connection
from .generated.api.lifecycle import forget_memory
from .generated.api.memories import get_memory, list_memories, remember, update_memory
from .generated.api.recall import recall_context, recall_why, search_memories_by_body
from .generated.models import (
    Memory,
    MemoryForgetAnswer,
    MemoryForgetRequest,
    MemoryList,
    MemoryRememberAnswer,
    MemoryRememberRequest,
    MemoryUpdateRequest,
    MemoryWithEtag,
    OwnersContext,
    RecallContextRequest,
    RecallWhyAnswer,
    RecallWhyRequest,
    SearchAnswer,
    SearchRequest,
    TemporaryAgentsContext,
    UpdatedMemory,
    UpdatedMemoryReference,
)

T = TypeVar("T")
U = TypeVar("U")

#: That of an agent which nobody has bound yet has fewer members.
Context = OwnersContext | TemporaryAgentsContext
Updated = UpdatedMemory | UpdatedMemoryReference

#: Memories of one request of a list.
PAGE = 100


class _Model(Protocol):
    additional_properties: dict[str, Any]

    @classmethod
    def from_dict(cls, src_dict: Any) -> Any: ...


M = TypeVar("M", bound=_Model)


def _request(kind: type[M], **members: Any) -> M:
    request: M = kind.from_dict({name: _json(value) for name, value in members.items()})
    if request.additional_properties:
        raise TypeError(f"{kind.__name__} has no {', '.join(request.additional_properties)}.")
    return request


def _json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


@overload
def _expected(answer: object, kind: type[T], /) -> T: ...
@overload
def _expected(answer: object, kind: type[T], other: type[U], /) -> T | U: ...
def _expected(answer: object, *kinds: type) -> object:
    """The answer, which is of one of these kinds: refusals have been raised before it was read."""
    if not isinstance(answer, kinds):
        raise TypeError(f"The server answered {type(answer).__name__}: is this client older than it?")
    return answer


class Recollect:
    """A memory service. ``with Recollect() as memory: memory.remember("Deploys go out on Tuesdays", "team/deploys")``"""

    def __init__(self, **connection: Any) -> None:
        """Takes what ``Connection`` takes."""
        self._connection = connection
        #: For ``recollect.generated.api``: ``create_todo.sync("apollo", client=memory.api, body=…)``.
        self.api = Connection(**connection).client()

    def for_user(self, user: str) -> Recollect:
        """A client for one end user of your application, by your own id. Needs a key with ``users:act``."""
        return Recollect(**{**self._connection, "user": user})

    def remember(self, content: str, path: str, **members: Any) -> MemoryRememberAnswer:
        """Stores one self-contained statement, once: an equal memory's id comes back with ``deduplicated``."""
        body = _request(MemoryRememberRequest, content=content, path=path, **members)
        return _expected(remember.sync(client=self.api, body=body), MemoryRememberAnswer)

    def recall_context(self, query: str, *, max_items: int = 8, max_tokens: int = 1500, **members: Any) -> Context:
        """What is known about ``query``: ``context_text`` is for a model, and within both budgets. It is data, not
        instruction; ``answer_status`` says whether the question is settled."""
        body = _request(RecallContextRequest, query=query, max_items=max_items, max_tokens=max_tokens, **members)
        return _expected(recall_context.sync(client=self.api, body=body), OwnersContext, TemporaryAgentsContext)

    def search(self, query: str, *, limit: int = 5, **members: Any) -> SearchAnswer:
        """The memories that match best, best first; ``score`` is the absolute relevance, from 0 to 1."""
        request = _request(SearchRequest, query=query, limit=limit, **members)
        return _expected(search_memories_by_body.sync(client=self.api, body=request), SearchAnswer)

    def why(self, memory_id: str, query: str, **members: Any) -> RecallWhyAnswer:
        """Why ``query`` finds a memory, or why not: ``outcome``, and ``reasons`` in words. Takes the members of ``search``."""
        request = _request(RecallWhyRequest, memory_id=memory_id, query=query, **members)
        return _expected(recall_why.sync(client=self.api, body=request), RecallWhyAnswer)

    def get(self, memory_id: str) -> MemoryWithEtag:
        """One memory whole."""
        return _expected(get_memory.sync(memory_id, client=self.api), MemoryWithEtag)

    def update(self, memory_id: str, **changes: Any) -> Updated:
        """Changes what is named, and answers the memory; only its id where the key may not read it."""
        answer = update_memory.sync(memory_id, client=self.api, body=_request(MemoryUpdateRequest, **changes))
        return _expected(answer, UpdatedMemory, UpdatedMemoryReference)

    def forget(self, memory_id: str, **members: Any) -> MemoryForgetAnswer:
        """Takes a memory out of recall; ``mode`` ``hard_delete`` and ``redact`` cannot be undone."""
        answer = forget_memory.sync(memory_id, client=self.api, body=_request(MemoryForgetRequest, **members))
        return _expected(answer, MemoryForgetAnswer)

    def memories(self, *, page: int = PAGE, **filters: Any) -> Iterator[Memory]:
        """All memories that the filters allow, newest first, a page at a time. What changes meanwhile is not shown twice."""
        cursor = None
        while True:
            part = _expected(list_memories.sync(client=self.api, limit=page, cursor=cursor, **filters), MemoryList)
            yield from part.memories
            cursor = part.next_cursor
            if cursor is None:
                return

    def close(self) -> None:
        self.api.get_httpx_client().close()

    def __enter__(self) -> Recollect:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRecollect:
    """The same with ``await``."""

    def __init__(self, **connection: Any) -> None:
        """Takes what ``Connection`` takes."""
        self._connection = connection
        #: For the ``asyncio`` functions of ``recollect.generated.api``.
        self.api = Connection(**connection).client()

    def for_user(self, user: str) -> AsyncRecollect:
        """See ``Recollect.for_user``."""
        return AsyncRecollect(**{**self._connection, "user": user})

    async def remember(self, content: str, path: str, **members: Any) -> MemoryRememberAnswer:
        """See ``Recollect.remember``."""
        body = _request(MemoryRememberRequest, content=content, path=path, **members)
        return _expected(await remember.asyncio(client=self.api, body=body), MemoryRememberAnswer)

    async def recall_context(
        self, query: str, *, max_items: int = 8, max_tokens: int = 1500, **members: Any
    ) -> Context:
        """See ``Recollect.recall_context``."""
        body = _request(RecallContextRequest, query=query, max_items=max_items, max_tokens=max_tokens, **members)
        return _expected(await recall_context.asyncio(client=self.api, body=body), OwnersContext, TemporaryAgentsContext)

    async def search(self, query: str, *, limit: int = 5, **members: Any) -> SearchAnswer:
        """See ``Recollect.search``."""
        request = _request(SearchRequest, query=query, limit=limit, **members)
        return _expected(await search_memories_by_body.asyncio(client=self.api, body=request), SearchAnswer)

    async def why(self, memory_id: str, query: str, **members: Any) -> RecallWhyAnswer:
        """See ``Recollect.why``."""
        request = _request(RecallWhyRequest, memory_id=memory_id, query=query, **members)
        return _expected(await recall_why.asyncio(client=self.api, body=request), RecallWhyAnswer)

    async def get(self, memory_id: str) -> MemoryWithEtag:
        """See ``Recollect.get``."""
        return _expected(await get_memory.asyncio(memory_id, client=self.api), MemoryWithEtag)

    async def update(self, memory_id: str, **changes: Any) -> Updated:
        """See ``Recollect.update``."""
        answer = await update_memory.asyncio(memory_id, client=self.api, body=_request(MemoryUpdateRequest, **changes))
        return _expected(answer, UpdatedMemory, UpdatedMemoryReference)

    async def forget(self, memory_id: str, **members: Any) -> MemoryForgetAnswer:
        """See ``Recollect.forget``."""
        answer = await forget_memory.asyncio(memory_id, client=self.api, body=_request(MemoryForgetRequest, **members))
        return _expected(answer, MemoryForgetAnswer)

    async def memories(self, *, page: int = PAGE, **filters: Any) -> AsyncIterator[Memory]:
        """See ``Recollect.memories``."""
        cursor = None
        while True:
            answer = await list_memories.asyncio(client=self.api, limit=page, cursor=cursor, **filters)
            part = _expected(answer, MemoryList)
            for memory in part.memories:
                yield memory
            cursor = part.next_cursor
            if cursor is None:
                return

    async def close(self) -> None:
        await self.api.get_async_httpx_client().aclose()

    async def __aenter__(self) -> AsyncRecollect:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
