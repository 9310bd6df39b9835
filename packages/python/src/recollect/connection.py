"""Where the server is and who calls, as a client of the generated operations."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from .http import httpx

from .generated.client import Client
from .loop_transport import LoopTransport
from .retrying import AsyncRetryingTransport, Retries, RetryingTransport
from .tracing import traced, traced_async

DEFAULT_URL = "http://127.0.0.1:8787"


@dataclass(frozen=True, kw_only=True)
class Connection:
    """How to reach a server.

    ``url`` and ``api_key`` are ``RECOLLECT_URL`` and ``RECOLLECT_API_KEY`` of the environment unless given. Agent, session,
    task and project are recorded with what is written, and grant nothing; a project also confines what is recalled.
    ``user`` is the end user in whose space everything takes place, by your own id; it needs a key with ``users:act``.
    ``timeout`` is that of one attempt, in seconds. ``trace_content`` writes queries and memories into spans, which are made
    if ``opentelemetry-api`` is installed.
    """

    url: str | None = None
    api_key: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    task_id: str | None = None
    project_id: str | None = None
    user: str | None = None
    timeout: float = 30.0
    retries: Retries = field(default_factory=Retries)
    trace_content: bool = False

    def client(self) -> Client:
        """A client for the functions of ``recollect.generated.api``, with the same retries and errors."""
        url = (self.url or os.environ.get("RECOLLECT_URL") or DEFAULT_URL).rstrip("/")
        timeout = httpx.Timeout(self.timeout)
        # httpx sends ASCII unless told otherwise; the service reads UTF-8.
        headers = httpx.Headers(self._headers(), encoding="utf-8")
        sync = traced(RetryingTransport(httpx.HTTPTransport(), self.retries), self.trace_content)
        asynchronous = traced_async(AsyncRetryingTransport(LoopTransport(), self.retries), self.trace_content)
        client = Client(base_url=url, timeout=timeout)
        client.set_httpx_client(httpx.Client(transport=sync, base_url=url, headers=headers, timeout=timeout))
        client.set_async_httpx_client(
            httpx.AsyncClient(transport=asynchronous, base_url=url, headers=headers, timeout=timeout)
        )
        return client

    def _headers(self) -> dict[str, str]:
        key = self.api_key or os.environ.get("RECOLLECT_API_KEY")
        if not key:
            raise ValueError("Give an api_key, or set RECOLLECT_API_KEY.")
        claims = {
            # Some operations answer with JSON Lines unless asked for JSON.
            "Accept": "application/json",
            "X-API-Key": key,
            "X-Agent-Id": self.agent_id,
            "X-Session-Id": self.session_id,
            "X-Task-Id": self.task_id,
            "X-Project-Id": self.project_id,
            "X-User-Id": self.user,
        }
        return {name: value for name, value in claims.items() if value}
