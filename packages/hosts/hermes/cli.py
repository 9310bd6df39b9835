"""`hermes recollect doctor`: checks the address, the key, and how long a recall takes."""

from __future__ import annotations

import sys
import time
from typing import Any

from .connection import RECALL_WITHIN_S, Connection, reason_of


def register_cli(parser: Any) -> None:
    commands = parser.add_subparsers(dest="recollect_command", required=True)
    commands.add_parser("doctor", help="Check the connection to Recollect")


def recollect_command(_: Any) -> None:
    connection = Connection()
    if not connection.key:
        sys.exit(f"There is no key: set RECOLLECT_API_KEY, or put it into {connection.file}.")
    began = time.monotonic()
    try:
        connection.post("/v1/recall/context", {"query": "Is the memory there?", "max_tokens": 200}, 5.0)
    except Exception as error:  # noqa: BLE001
        sys.exit(f"Recollect at {connection.url} cannot recall: {reason_of(error)}")
    took = time.monotonic() - began
    if took > RECALL_WITHIN_S:
        sys.exit(f"A recall took {took * 1000:.0f} ms, and the plugin waits {RECALL_WITHIN_S * 1000:.0f} ms.")
    print(f"Recollect answers at {connection.url}: a recall took {took * 1000:.0f} ms.")
