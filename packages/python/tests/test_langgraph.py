"""The store beside LangGraph's own in-memory store, over random operations, and in a graph's run.

They differ on purpose: a search without a query returns the newest first, there in order of insertion, and a namespace ends
with its last item, which there stays listed. There a read makes its namespace listed too, so that namespaces are listed in
batches of their own.
"""

import asyncio
import os
import random
import uuid

import pytest

pytest.importorskip("langgraph")

from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from recollect import Recollect
from recollect.langgraph import RecollectStore

SEED = int(os.environ.get("RECOLLECT_SEED", "20260131"))
OPERATIONS = int(os.environ.get("RECOLLECT_RUNS", "1")) * 150
LABELS = ["a", "ab", "A", "a%", "%", "a/b", "_", "é", "漢 字", "=25"]
LEAVES = ["red", "", 1, -2, 2.5, True, None, [1, "red"], {"in": "blue"}]
FILTERS = [{"color": leaf} for leaf in LEAVES] + [{"color": {"$ne": "red"}}, {"n": {"$gte": 0}}, {"n": {"$lt": 2}}]


def namespace(chance):
    return tuple(chance.choices(LABELS, k=chance.randrange(1, 4)))


def some_operation(chance):
    kind = chance.randrange(9)
    if kind < 4:
        value = {"color": chance.choice(LEAVES), "n": chance.randrange(-3, 4)} if chance.random() < 0.8 else None
        return PutOp(namespace(chance), chance.choice(["k", "K", "k/%", "ключ"]), value)
    if kind < 6:
        return GetOp(namespace(chance), chance.choice(["k", "K", "k/%", "ключ"]))
    if kind < 8:
        return SearchOp(namespace(chance)[: chance.randrange(3)], chance.choice([None, *FILTERS]), limit=1000)
    conditions = (MatchCondition(chance.choice(["prefix", "suffix"]), (chance.choice([*LABELS, "*"]),)),)
    return ListNamespacesOp(chance.choice([None, conditions]), chance.choice([None, 1, 2]), limit=1000)


def comparable(operation, result):
    def of(item):
        return (item.namespace, item.key, repr(sorted(item.value.items())))

    if isinstance(operation, SearchOp):
        return sorted(of(item) for item in result)
    return of(result) if isinstance(operation, GetOp) and result else result


def test_answers_as_the_in_memory_store_does_over_random_operations():
    chance, at = random.Random(SEED), 0
    with Recollect() as memory:
        while at < OPERATIONS:
            ours, model = RecollectStore(memory, path=f"langgraph/{uuid.uuid4()}"), InMemoryStore()
            for _ in range(25):
                batch = [some_operation(chance) for _ in range(chance.randrange(1, 4))]
                batch = [each for each in batch if isinstance(each, ListNamespacesOp)] or batch
                expected, results = model.batch(batch), ours.batch(batch)
                for name in [name for name, items in model._data.items() if not items]:
                    del model._data[name]
                for operation, one, other in zip(batch, expected, results, strict=True):
                    assert comparable(operation, other) == comparable(operation, one), (SEED, operation)
                    at += 1


def test_a_graph_finds_by_meaning_what_another_run_stored():
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.store.base import BaseStore

    users = ("users", uuid.uuid4().hex)

    def answer(state: MessagesState, *, store: BaseStore):
        said = str(state["messages"][-1].content)
        if not said.endswith("?"):
            store.put(users, uuid.uuid4().hex, {"text": said})
            return {"messages": [("assistant", "Noted.")]}
        return {"messages": [("assistant", store.search(users, query=said)[0].value["text"])]}

    with Recollect() as memory:
        builder = StateGraph(MessagesState).add_node("model", answer).add_edge(START, "model").add_edge("model", END)
        graph = builder.compile(store=RecollectStore(memory))
        for said in ["Ada does not eat nuts.", "Ada moved to Faro."]:
            graph.invoke({"messages": [("user", said)]})
        answered = asyncio.run(graph.ainvoke({"messages": [("user", "Who does not eat nuts?")]}))
    assert answered["messages"][-1].content == "Ada does not eat nuts."
