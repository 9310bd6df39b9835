"""
Lets mem0 write memories without a language model, into the folder: mem0.json is what get_all answers, mem0-points.json what
a scroll of its Qdrant collection does. python make_mem0.py FOLDER
"""

import hashlib
import json
import os
import sys
import tempfile

folder = sys.argv[1]
os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from mem0 import Memory  # noqa: E402
from mem0.configs.base import MemoryConfig  # noqa: E402
from mem0.configs.embeddings.base import BaseEmbedderConfig  # noqa: E402,F401
from mem0.embeddings.base import EmbeddingBase  # noqa: E402


class Digest(EmbeddingBase):
    """Vectors that mean nothing: nothing is searched for here."""

    def embed(self, text, memory_action=None):
        return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]]


config = {
    "vector_store": {
        "provider": "qdrant",
        "config": {"path": os.environ["MEM0_DIR"], "embedding_model_dims": 8, "on_disk": True},
    },
    "llm": {"provider": "openai", "config": {"api_key": "none"}},
    "embedder": {"provider": "openai", "config": {"api_key": "none", "embedding_dims": 8}},
    "history_db_path": os.path.join(os.environ["MEM0_DIR"], "history.db"),
}
memory = Memory.from_config(config)
memory.embedding_model = Digest(None)

memory.add("Alice prefers tea over coffee", user_id="alice", infer=False)
memory.add("The staging database is db-2", user_id="alice", agent_id="scout", run_id="run-1", infer=False,
           metadata={"topic": "work", "due_at": "some day", "weights": [1, 2]})
talk = [{"role": "user", "content": "I moved to 東京 🎌"}, {"role": "assistant", "content": "Noted, since when?"}]
memory.add(talk, user_id="bob", infer=False)
changed = memory.add("Bob's desk is on floor 2", user_id="bob", infer=False)["results"][0]["id"]
memory.update(changed, "Bob's desk is on floor 3")
gone = memory.add("Bob likes rain", user_id="bob", infer=False)["results"][0]["id"]
memory.delete(gone)

results = []
for user in ("alice", "bob"):
    results += memory.get_all(filters={"user_id": user}, top_k=1000)["results"]
points, _ = memory.vector_store.client.scroll(memory.vector_store.collection_name, limit=1000)
scroll = {"result": {"points": [{"id": p.id, "payload": p.payload} for p in points], "next_page_offset": None}}
for name, document in (("mem0.json", {"results": results}), ("mem0-points.json", scroll)):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
        file.write("\n")
