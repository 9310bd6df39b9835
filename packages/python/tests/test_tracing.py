"""Spans of memory operations, as the SDK of OpenTelemetry exports them."""

import asyncio
import json
import subprocess
import sys

import pytest

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from recollect import AsyncRecollect, NotFound, Recollect, Retries

EXPORTER = InMemorySpanExporter()
FACT = "Apollo is deployed on Thursdays."


@pytest.fixture(scope="module", autouse=True)
def provider():
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(EXPORTER))
    trace.set_tracer_provider(provider)


@pytest.fixture
def spans():
    EXPORTER.clear()
    return EXPORTER.get_finished_spans


@pytest.fixture
def stored():
    with Recollect() as memory:
        return memory.remember(FACT, "team/traced").id


def test_a_recall_is_a_span_with_counts_and_no_content(spans, stored):
    EXPORTER.clear()

    async def recall():
        async with AsyncRecollect() as memory:
            return await memory.recall_context("When is Apollo deployed?")

    with trace.get_tracer("agent").start_as_current_span("turn"):
        found = len(asyncio.run(recall()).items)
    with Recollect() as memory:
        memory.recall_context("When is Apollo deployed?")
    below, turn, alone = spans()
    assert below.parent.span_id == turn.context.span_id and alone.parent is None
    for span in (below, alone):
        assert (span.name, span.kind) == ("search_memory", SpanKind.CLIENT)
        assert span.attributes["gen_ai.operation.name"] == "search_memory"
        assert span.attributes["gen_ai.memory.record.count"] == found > 0
        assert span.attributes["server.address"] == "127.0.0.1" and span.attributes["server.port"] > 0
        assert "Apollo" not in str(span.to_json())


def test_queries_and_memories_are_in_spans_only_by_opting_in(spans, stored):
    EXPORTER.clear()
    with Recollect(trace_content=True) as memory:
        memory.search("When is Apollo deployed?")
    [span] = spans()
    assert span.attributes["gen_ai.memory.query.text"] == "When is Apollo deployed?"
    assert FACT in [record["content"] for record in json.loads(span.attributes["gen_ai.memory.records"])]


def test_each_kind_of_operation_has_its_name_and_others_have_none(spans):
    with Recollect() as memory:
        answer = memory.remember("Odalys keeps falcons.", "team/traced")
        memory.get(answer.id)
        list(memory.memories(path="team/traced"))
        memory.update(answer.id, content="Odalys keeps kestrels.")
        memory.forget(answer.id)
    assert [span.name for span in spans()] == ["upsert_memory", "update_memory", "delete_memory"]
    assert [span.attributes.get("gen_ai.memory.record.id") for span in spans()] == [None, answer.id, answer.id]


def test_a_failure_is_an_error_by_its_code_without_the_message(spans):
    with Recollect() as memory, pytest.raises(NotFound):
        memory.forget("traced-absent")
    with Recollect(url="http://127.0.0.1:9", api_key="none", retries=Retries(times=1, first_wait=0.01)) as memory:
        with pytest.raises(Exception):
            memory.recall_context("When is Apollo deployed?")
    refused, lost = spans()
    assert refused.status.status_code == lost.status.status_code == StatusCode.ERROR
    assert refused.attributes["error.type"] == "not_found" and lost.attributes["error.type"] == "NoAnswer"
    assert refused.events == lost.events == () and refused.status.description is None


def test_there_is_nothing_without_opentelemetry():
    """In a process of its own, in which the package cannot be found."""
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from recollect import Recollect, tracing\n"
        "assert tracing.trace is None\n"
        "with Recollect() as memory: memory.recall_context('When is Apollo deployed?')\n"
        "assert type(memory.api.get_httpx_client()._transport).__name__ == 'RetryingTransport'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
