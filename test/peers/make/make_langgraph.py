"""
Lets LangGraph's stores write the same items, and writes down what is then in the table of Postgres:
python make_langgraph.py sqlite FILE | python make_langgraph.py postgres ADDRESS FILE
"""

import json
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


def change(store):
    store.put(("users", "bob"), "visit", {"text": "Bob visits on Friday"}, ttl=60)
    store.put(("users", "alice", "memories"), "tea", {"text": "Alice prefers green tea over coffee"})


def write_rows(address, file):
    """The table's columns and rows, each value as Postgres writes it."""
    import psycopg

    with psycopg.connect(address) as connection:
        columns = connection.execute(
            "select column_name, data_type from information_schema.columns where table_name = 'store' order by ordinal_position"
        ).fetchall()
        texts = ", ".join(f"{name}::text" for name, _ in columns)
        rows = connection.execute(f"select {texts} from store order by prefix, key").fetchall()
    with open(file, "w", encoding="utf-8") as written:
        json.dump({"columns": columns, "rows": rows}, written, ensure_ascii=False, indent=1)
        written.write("\n")


kind, place, *more = sys.argv[1:]
if kind == "sqlite":
    from langgraph.store.sqlite import SqliteStore as Store
else:
    from langgraph.store.postgres import PostgresStore as Store

with Store.from_conn_string(place) as store:
    fill(store)
    change(store)
if more:
    write_rows(place, more[0])
