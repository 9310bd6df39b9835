"""Cost of memory in a turn of each framework: ``cd tests && python -m frameworks.measure [TURNS]``, with RECOLLECT_URL and
RECOLLECT_API_KEY. Prints a JSON line for each: milliseconds added (p50, p95), seconds of a turn whose service is down or
hangs, the tokens recalled (a quarter of the characters), and the lines of our code.
"""

import asyncio
import importlib
import importlib.metadata
import json
import logging
import socket
import statistics
import sys
import time
import uuid
import warnings
from pathlib import Path

from recollect import AsyncRecollect

from . import Script

PACKAGES = {
    "pydantic_ai": "pydantic-ai-slim",
    "openai_agents": "openai-agents",
    "google_adk": "google-adk",
    "llama_index": "llama-index-core",
    "strands": "strands-agents",
    "agent_framework": "agent-framework-core",
}
MEMORIES = 200
NAMES = ["Apollo", "Borealis", "Cassini", "Daedalus", "Electra", "Fornax", "Galatea", "Hyperion"]


async def timed(turn, client, user, words):
    script, began = Script(["I have noted that."]), time.perf_counter()
    await turn(client, words, script, user=user, session=str(uuid.uuid4()))
    return (time.perf_counter() - began) * 1000, len(script.prompts[0])


async def measure(name, turns):
    turn, user = importlib.import_module(f"frameworks.{name}").turn, f"measured-{uuid.uuid4()}"
    async with AsyncRecollect() as client:
        owner = client.for_user(user)
        for at in range(MEMORIES):
            service = f"{NAMES[at % len(NAMES)]} {at // len(NAMES)}"
            await owner.remember(f"The service {service} is deployed on port {7000 + at} by team {at % 9}.", "services")
        took = {True: [], False: []}
        lengths = {True: [], False: []}
        for at in range(turns + 3):
            for with_memory in (False, True):
                words = f"On which port is the service {NAMES[at % len(NAMES)]} {at % 25} deployed? I ask for the {at}th time."
                ms, length = await timed(turn, client if with_memory else None, user, words)
                if at >= 3:  # The first ones load modules.
                    took[with_memory].append(ms)
                    lengths[with_memory].append(length)
    alone = statistics.median(took[False])
    added = statistics.quantiles(took[True], n=20)
    return {
        "framework": name,
        "version": importlib.metadata.version(PACKAGES[name]),
        "turns": turns,
        "alone_ms": round(alone, 1),
        "added_p50_ms": round(statistics.median(took[True]) - alone, 1),
        "added_p95_ms": round(added[18] - alone, 1),
        "recalled_tokens": round((statistics.median(lengths[True]) - statistics.median(lengths[False])) / 4),
        **await away(turn, alone),
        "lines": len((Path(__file__).parents[2] / f"src/recollect/{name}.py").read_text().splitlines()),
    }


async def away(turn, alone):
    seconds = {}
    for kind in ("down", "hanging"):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            if kind == "hanging":
                silent.listen()
            async with AsyncRecollect(url=f"http://127.0.0.1:{silent.getsockname()[1]}", api_key="none") as client:
                ms, _ = await timed(turn, client, "nobody", "When is Apollo deployed?")
                seconds[f"{kind}_s"] = round((ms - alone) / 1000, 2)
    return seconds


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    for framework in PACKAGES:
        print(json.dumps(asyncio.run(measure(framework, int(sys.argv[1]) if len(sys.argv) > 1 else 100))), flush=True)
