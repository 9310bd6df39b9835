"""The connection to the service."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

AGENT = "hermes"
DEFAULT_URL = "http://127.0.0.1:8787"
# A turn never waits longer for memory.
RECALL_WITHIN_S = 1.5


class Connection:
    """The address and the key: from the environment, else from a file that only the user can read."""

    def __init__(self) -> None:
        default = Path.home() / ".config" / "recollect" / "client.json"
        self.file = Path(os.environ.get("RECOLLECT_CONFIG") or default)
        try:
            content = json.loads(self.file.read_text())
        except (OSError, ValueError):
            content = {}
        self.url = str(os.environ.get("RECOLLECT_URL") or content.get("url") or DEFAULT_URL).rstrip("/")
        self.key = os.environ.get("RECOLLECT_API_KEY") or content.get("api_key")

    def post(self, path: str, body: dict[str, Any], within: float, session: str = "") -> Any:
        """Return the answer. Raise `OSError` or `ValueError` if there is none, or if it is an error."""
        headers = {"content-type": "application/json", "x-api-key": self.key or "", "x-agent-id": AGENT}
        if session:
            headers["x-session-id"] = session
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers, method="POST")
        with _opener.open(request, timeout=within) as response:
            return json.load(response)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def reason_of(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        try:
            body = json.load(error)
            return str(body.get("hint") or body.get("code"))
        except ValueError:
            return f"status {error.code}"
    return str(getattr(error, "reason", error))
