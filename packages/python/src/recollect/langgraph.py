"""A LangGraph store on Recollect: what a graph stores across threads is available to every agent of the same user, and can
be searched by meaning, corrected and exported like any memory::

    graph = builder.compile(store=RecollectStore(memory))
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from ._placement import derived_id, path_below
from .client import Recollect
from .errors import Conflict, NotFound

Json = dict[str, Any]

BUCKET = "langgraph"
PAGE = 1000
#: The most results of a search by meaning.
FOUND_MAX = 100
CONTENT_MAX = 65_536
PUT_ATTEMPTS = 3


class RecollectStore(BaseStore):
    """Reads in a batch see the store as it was before the batch; of several puts of one key the last wins. A batch is not a
    transaction: if it raises, part of it may have been written. ``path`` is where items are stored; ``team_id`` makes them
    the team's. Raises the errors of ``recollect.errors``.
    """

    def __init__(self, client: Recollect, *, path: str = "langgraph", team_id: str | None = None) -> None:
        self._client, self._root = client, path
        self._owner: Json = {"scope": "private"} if team_id is None else {"scope": "team", "team_id": team_id}

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        operations = list(ops)
        results = [None if isinstance(op, PutOp) else self._read(op) for op in operations]
        puts = {(op.namespace, op.key): op for op in operations if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: GetOp | SearchOp | ListNamespacesOp) -> Result:
        if isinstance(op, GetOp):
            memory = self._memory(self._id(op.namespace, op.key))
            return None if memory is None else _item(memory)
        return self._search(op) if isinstance(op, SearchOp) else self._namespaces(op)

    def _memory(self, memory_id: str) -> Json | None:
        """None also if it is another owner's: a teammate can give a team's memory the same id."""
        try:
            memory = self._send("GET", f"/v1/memories/{memory_id}")
        except NotFound:
            return None
        return memory if all(memory.get(member) == value for member, value in self._owner.items()) else None

    def _put(self, op: PutOp) -> None:
        memory_id = self._id(op.namespace, op.key)
        if op.value is None:
            self._delete(memory_id)
            return
        text = "" if op.index is False else "\n".join(_texts(op.value, op.index))
        held = {"namespace": list(op.namespace), "key": op.key, "value": op.value}
        metadata = {**held, "searched": False} if op.index is False else held
        written = {"content": (text or op.key or "/".join(op.namespace))[:CONTENT_MAX], "metadata": metadata}
        place = {"memory_id": memory_id, "path": path_below(self._root, op.namespace), "bucket": BUCKET, **self._owner}
        for attempt in range(1, PUT_ATTEMPTS + 1):
            try:
                self._send("POST", "/v1/memories", json={**place, **written})
                return
            except Conflict as error:
                if error.code != "memory_id_conflict" or attempt == PUT_ATTEMPTS:
                    raise
            changes = {**written, "merge_metadata": False, "detect_conflicts": False}
            try:
                self._send("PATCH", f"/v1/memories/{memory_id}", json=changes)
                return
            except NotFound:
                continue  # It was deleted meanwhile, so it is created again.

    def _delete(self, memory_id: str) -> None:
        if self._memory(memory_id) is None:
            return
        try:
            # A forgotten memory would keep its id, which the next put needs.
            self._send("DELETE", f"/v1/memories/{memory_id}", params={"mode": "hard_delete"})
        except NotFound:
            pass

    def _search(self, op: SearchOp) -> list[SearchItem]:
        wanted: list[SearchItem] = []
        for item in self._found(op.query, op.namespace_prefix) if op.query else self._listed(op.namespace_prefix):
            is_below = item.namespace[: len(op.namespace_prefix)] == tuple(op.namespace_prefix)
            if is_below and all(_matches(item.value.get(key), value) for key, value in (op.filter or {}).items()):
                wanted.append(item)
            if len(wanted) >= op.offset + op.limit:
                break
        return wanted[op.offset : op.offset + op.limit]

    def _found(self, query: str, prefix: tuple[str, ...]) -> Iterator[SearchItem]:
        """Results of a search by meaning, best first."""
        body = {**self._filter(prefix), "query": query, "limit": FOUND_MAX}
        for result in self._send("POST", "/v1/memories/search", json=body)["results"]:
            item = _item(result, result["score"])
            if item is not None and result["metadata"].get("searched") is not False:
                yield item

    def _listed(self, prefix: tuple[str, ...]) -> Iterator[SearchItem]:
        """All items, newest first."""
        query = {**self._filter(prefix), "limit": PAGE}
        while True:
            page = self._send("GET", "/v1/memories", params=query)
            yield from (item for memory in page["memories"] if (item := _item(memory)) is not None)
            if not page.get("next_cursor"):
                return
            query["cursor"] = page["next_cursor"]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        namespaces = {
            item.namespace[: op.max_depth]
            for item in self._listed(())
            if all(_is_matched(item.namespace, condition) for condition in conditions)
        }
        return sorted(namespaces)[op.offset : op.offset + op.limit]

    def _filter(self, prefix: tuple[str, ...]) -> Json:
        return {**self._owner, "bucket": BUCKET, "path": f"{path_below(self._root, prefix)}%"}

    def _id(self, namespace: tuple[str, ...], key: str) -> str:
        return derived_id("langgraph", [self._root, self._owner, list(namespace), key])

    def _send(self, method: str, path: str, **request: Any) -> Json:
        answer: Json = self._client.api.get_httpx_client().request(method, path, **request).json()
        return answer


def _item(memory: Json, score: float | None = None) -> SearchItem | None:
    """None if it is no item, since others may store memories there."""
    held = memory["metadata"]
    if not isinstance(held.get("namespace"), list) or not isinstance(held.get("value"), dict):
        return None
    times = {name: datetime.fromisoformat(memory[name]) for name in ("created_at", "updated_at")}
    return SearchItem(tuple(held["namespace"]), held["key"], held["value"], **times, score=score)


def _texts(value: Any, fields: list[str] | None) -> list[str]:
    """The texts to search: all, or those below the fields' first members."""
    if fields is not None and "$" not in fields:
        names = {field.split(".")[0].split("[")[0] for field in fields}
        value = {name: inner for name, inner in value.items() if name in names}
    if isinstance(value, dict):
        inner = [(name, text) for name, member in value.items() for text in _texts(member, None)]
        return [f"{name}: {text}" for name, text in inner if text.strip()]
    if isinstance(value, list):
        return [text for member in value for text in _texts(member, None)]
    return [] if value is None else [str(value)]


def _is_matched(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    if len(condition.path) > len(namespace):
        return False
    start = len(namespace) - len(condition.path) if condition.match_type == "suffix" else 0
    return all(label in ("*", namespace[start + at]) for at, label in enumerate(condition.path))


def _matches(value: Any, wanted: Any) -> bool:
    """Compares as the in-memory store does."""
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_COMPARISONS[name](value, operand) for name, operand in wanted.items())
        return isinstance(value, dict) and all(_matches(value.get(name), inner) for name, inner in wanted.items())
    if isinstance(wanted, (list, tuple)):
        is_list = isinstance(value, (list, tuple)) and len(value) == len(wanted)
        return is_list and all(_matches(inner, other) for inner, other in zip(value, wanted, strict=True))
    return bool(value == wanted)


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, operand: value == operand,
    "$ne": lambda value, operand: value != operand,
    "$gt": lambda value, operand: float(value) > float(operand),
    "$gte": lambda value, operand: float(value) >= float(operand),
    "$lt": lambda value, operand: float(value) < float(operand),
    "$lte": lambda value, operand: float(value) <= float(operand),
}
