"""Lets LangGraph's stores write the same items: python make_langgraph.py sqlite FILE | python make_langgraph.py postgres ADDRESS"""

import sys


def fill(store):
    store.setup()
    store.put(("users", "alice", "memories"), "tea", {"text": "Alice prefers tea over coffee"})
    store.put(("users", "alice", "memories"), "port", {"data": "The staging port is 8443", "confidence": 0.9})
    # As LangMem writes it.
    content = {"content": "User is preparing a talk about Recollect"}
    store.put(("users", "alice", "memories"), "talk", {"kind": "Memory", "content": content})
    profile = {"name": "Bob", "languages": ["French", "Vietnamese"], "home": {"city": "東京", "floor": 3}, "pet": None}
    store.put(("users", "bob"), "profile", profile)
    store.put(("docs",), "empty", {})
    store.put(("docs",), "long/key with: signs", {"text": "A key may hold any text 🎈"})
    store.put(("users", "alice", "memories"), "old", {"text": "Deleted again"})
    store.delete(("users", "alice", "memories"), "old")


kind, place = sys.argv[1:]
if kind == "sqlite":
    from langgraph.store.sqlite import SqliteStore

    with SqliteStore.from_conn_string(place) as store:
        fill(store)
        store.put(("users", "bob"), "visit", {"text": "Bob visits on Friday"}, ttl=60)
        store.put(("users", "alice", "memories"), "tea", {"text": "Alice prefers green tea over coffee"})
else:
    from langgraph.store.postgres import PostgresStore

    with PostgresStore.from_conn_string(place) as store:
        fill(store)
        store.put(("users", "bob"), "visit", {"text": "Bob visits on Friday"}, ttl=60)
        store.put(("users", "alice", "memories"), "tea", {"text": "Alice prefers green tea over coffee"})
