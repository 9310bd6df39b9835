"""Spans of memory operations, by OpenTelemetry's conventions for generative AI (in development), if ``opentelemetry-api`` is
installed. They come below the agent's own. As a transport, so that every generated operation has them too, and one span for
all attempts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .errors import RecollectError
from .generated.memory_operations import MEMORY_OPERATIONS
from .http import httpx

try:
    from opentelemetry import trace
    from opentelemetry.trace import SpanKind, Status, StatusCode
except ModuleNotFoundError:
    trace = None  # type: ignore[assignment]

_OPERATIONS = [(method, re.compile(rf"{pattern}$"), name) for method, pattern, name in MEMORY_OPERATIONS]


def traced(transport: httpx.BaseTransport, content: bool) -> httpx.BaseTransport:
    """The transport with a span for each memory operation; itself without OpenTelemetry."""
    return transport if trace is None else _TracingTransport(transport, content)


def traced_async(transport: httpx.AsyncBaseTransport, content: bool) -> httpx.AsyncBaseTransport:
    """See ``traced``."""
    return transport if trace is None else _AsyncTracingTransport(transport, content)


class _TracingTransport(httpx.BaseTransport):
    def __init__(self, inner: httpx.BaseTransport, content: bool) -> None:
        self._inner, self._content = inner, content

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with _span(request, self._content) as answered:
            return answered(self._inner.handle_request(request))

    def close(self) -> None:
        self._inner.close()


class _AsyncTracingTransport(httpx.AsyncBaseTransport):
    def __init__(self, inner: httpx.AsyncBaseTransport, content: bool) -> None:
        self._inner, self._content = inner, content

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with _span(request, self._content) as answered:
            return answered(await self._inner.handle_async_request(request))

    async def aclose(self) -> None:
        await self._inner.aclose()


@contextmanager
def _span(request: httpx.Request, content: bool) -> Iterator[Callable[[httpx.Response], httpx.Response]]:
    """Yields a function that notes the response and returns it."""
    found = _operation(request)
    if found is None:
        yield lambda response: response
        return
    name, memory_id = found
    tracer = trace.get_tracer("recollect")
    attributes = {"gen_ai.operation.name": name, **_address(request.url)}
    # An error's message may quote what was sent, so that it is not recorded.
    with tracer.start_as_current_span(
        name, kind=SpanKind.CLIENT, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        if memory_id:
            span.set_attribute("gen_ai.memory.record.id", memory_id)
        if content and span.is_recording():
            query = _json(request.content).get("query") or request.url.params.get("query")
            if query:
                span.set_attribute("gen_ai.memory.query.text", query)

        def answered(response: httpx.Response) -> httpx.Response:
            if span.is_recording():
                records = _records(_json(response.content))
                span.set_attribute("gen_ai.memory.record.count", len(records))
                if content:
                    span.set_attribute("gen_ai.memory.records", json.dumps(records, ensure_ascii=False))
            return response

        try:
            yield answered
        except BaseException as error:
            span.set_status(Status(StatusCode.ERROR))
            span.set_attribute("error.type", error.code if isinstance(error, RecollectError) else type(error).__name__)
            raise


def _operation(request: httpx.Request) -> tuple[str, str | None] | None:
    """The name of the operation, and the id of its one memory."""
    for method, pattern, name in _OPERATIONS:
        found = pattern.search(request.url.path) if method == request.method else None
        if found:
            return name, found.groupdict().get("memory_id") or _json(request.content).get("memory_id")
    return None


def _address(url: httpx.URL) -> dict[str, str | int]:
    return {"server.address": url.host, "server.port": url.port or (443 if url.scheme == "https" else 80)}


def _json(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body) if body else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _records(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The memories of an answer: those of a list, or the one that it is."""
    listed = answer.get("items", answer.get("results"))
    records = listed if isinstance(listed, list) else [answer] if "id" in answer else []
    members = ("id", "content", "score", "metadata")
    return [{name: record[name] for name in members if name in record} for record in records]
