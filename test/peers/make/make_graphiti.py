"""
Lets Graphiti keep a small graph in Kuzu and reads it back: nodes, edges and episodes as one JSON document, without their
vectors. No language model is asked: what one would have extracted is given. python make_graphiti.py FILE
"""

import asyncio
import json
import os
import sys
from datetime import datetime, timezone

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"

from graphiti_core.driver.kuzu_driver import KuzuDriver  # noqa: E402
from graphiti_core.edges import EntityEdge  # noqa: E402
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode  # noqa: E402

GROUP = "alice"


def day(text):
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


async def main():
    driver = KuzuDriver(db=":memory:")
    if hasattr(driver, "setup_schema"):
        driver.setup_schema()
    written = day("2026-11-20T09:00:00")

    def node(name, labels, summary="", attributes=None):
        return EntityNode(name=name, labels=["Entity", *labels], summary=summary, group_id=GROUP, created_at=written,
                          name_embedding=[0.1] * 8, attributes=attributes or {})

    alice = node("Alice Moreau", ["Person"], "Researcher who prefers tea and speaks French.", {"role": "researcher"})
    hanoi, tokyo = node("Hanoi", ["City"]), node("東京", [])
    episode = EpisodicNode(name="message 1", group_id=GROUP, source=EpisodeType.message, created_at=written,
                           source_description="chat", content="Alice: I moved to 東京 last month.", valid_at=day("2026-11-19T18:30:00"),
                           entity_edges=[])

    def edge(name, target, fact, valid, invalid=None, expired=None):
        return EntityEdge(source_node_uuid=alice.uuid, target_node_uuid=target.uuid, name=name, fact=fact, group_id=GROUP,
                          created_at=written, episodes=[episode.uuid], fact_embedding=[0.1] * 8, valid_at=valid and day(valid),
                          invalid_at=invalid and day(invalid), expired_at=expired and day(expired))

    edges = [
        edge("LIVES_IN", hanoi, "Alice Moreau lives in Hanoi.", "2020-03-01", "2026-10-15", "2026-11-20T09:00:01"),
        edge("LIVES_IN", tokyo, "Alice Moreau lives in 東京.", "2026-10-15"),
        edge("PLANS_TO_VISIT", hanoi, "Alice Moreau plans to visit Hanoi.", None, None, "2026-11-20T09:00:02"),
    ]
    for kept in (alice, hanoi, tokyo, episode, *edges):
        await kept.save(driver)

    def plain(read):
        left_out = {"name_embedding", "fact_embedding"}
        return [json.loads(item.model_dump_json(exclude=left_out)) for item in sorted(read, key=lambda item: item.name + item.uuid)]

    document = {
        "nodes": plain(await EntityNode.get_by_group_ids(driver, [GROUP])),
        "edges": plain(await EntityEdge.get_by_group_ids(driver, [GROUP])),
        "episodes": plain(await EpisodicNode.get_by_group_ids(driver, [GROUP])),
    }
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
        file.write("\n")


asyncio.run(main())
