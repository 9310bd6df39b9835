"""Remember, correct, recall for a prompt, and read all there is on a path.

RECOLLECT_API_KEY=rcl_key_... python examples/remember.py
"""

from recollect import NotFound, Recollect

with Recollect(agent_id="example-agent") as memory:
    fact = {"path": "projects/apollo", "semantic_key": "apollo-deploy-day"}
    memory.remember("Apollo is deployed on Tuesdays.", **fact)
    # The same semantic_key: this one takes the place of the first.
    memory.remember("Apollo is deployed on Thursdays.", **fact)

    pack = memory.recall_context("When is Apollo deployed?", max_tokens=500)
    print(pack.context_text)

    for found in memory.memories(path="projects/apollo"):
        print(found.id, found.content)

    try:
        memory.get("no-such-memory")
    except NotFound as error:
        print(error.code)
