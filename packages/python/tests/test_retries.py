"""What is sent again, and what is not: a proxy loses requests and answers on the way to the real server."""

import asyncio
import os
import random
import uuid

import httpx
import pytest

from recollect import AsyncRecollect, NoAnswer, RateLimited, Recollect, Retries, Unavailable
from recollect.generated.api.agents import register_agent
from recollect.generated.models import AgentSelfRegistrationRequest
from recollect.retrying import AsyncRetryingTransport, RetryingTransport

FAST = Retries(times=12, first_wait=0.001, longest_wait=0.01)


class Losing(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Loses what ``losses`` says, one for each request: before the server, after it, or not at all."""

    def __init__(self, losses):
        self.losses = losses
        self.sent = []
        self.inner = httpx.HTTPTransport()
        self.async_inner = httpx.AsyncHTTPTransport()

    def _before(self, request):
        self.sent.append(request)
        loss = next(self.losses, None)
        if loss == "unreachable":
            raise httpx.ConnectError("nobody there", request=request)
        if isinstance(loss, int):
            return loss, httpx.Response(loss, json={"detail": "lost", "code": "dependency_unavailable"})
        return loss, None

    @staticmethod
    def _after(loss, request):
        if loss == "answer":
            raise httpx.ReadError("connection lost", request=request)

    def handle_request(self, request):
        loss, response = self._before(request)
        if response is None:
            response = self.inner.handle_request(request)
            response.read()
        self._after(loss, request)
        return response

    async def handle_async_request(self, request):
        loss, response = self._before(request)
        if response is None:
            response = await self.async_inner.handle_async_request(request)
            await response.aread()
        self._after(loss, request)
        return response


def client_over(losing, retries=FAST):
    memory = Recollect()
    http = httpx.Client(
        transport=RetryingTransport(losing, retries),
        base_url=os.environ["RECOLLECT_URL"],
        headers={"X-API-Key": os.environ["RECOLLECT_API_KEY"]},
    )
    memory.api.set_httpx_client(http)
    return memory


def test_no_write_is_lost_and_none_is_done_twice():
    seed = int(os.environ.get("RECOLLECT_SEED", "20260131"))
    chance = random.Random(seed)
    losses = iter(lambda: chance.choice(["unreachable", "answer", 503, None, None, None]), "never")
    path = f"python/{uuid.uuid4()}"
    memory = client_over(Losing(losses))
    # dedupe off: what is stored twice would be seen.
    stored = [memory.remember(f"Entry {at}", path, dedupe=False).id for at in range(60)]
    with Recollect() as direct:
        kept = [found.content for found in direct.memories(path=path)]
    assert len(set(stored)) == 60, f"seed {seed}"
    assert sorted(kept) == sorted(f"Entry {at}" for at in range(60)), f"seed {seed}"


def test_a_repeat_has_the_key_of_the_first():
    losing = Losing(iter(["answer", 503, "unreachable"]))
    client_over(losing).remember("Kept once", f"python/{uuid.uuid4()}")
    keys = [request.headers["idempotency-key"] for request in losing.sent]
    assert len(keys) == 4 and len(set(keys)) == 1


def test_what_makes_a_secret_is_not_repeated_after_a_lost_answer():
    body = AgentSelfRegistrationRequest(
        entry_type="cli", client_name="Python tests", installation_fingerprint=str(uuid.uuid4())
    )
    losing = Losing(iter(["answer"]))
    with pytest.raises(NoAnswer):
        register_agent.sync(client=client_over(losing).api, body=body)
    assert len(losing.sent) == 1
    unsent = Losing(iter(["unreachable"]))
    assert register_agent.sync(client=client_over(unsent).api, body=body).status == "pending"


def test_it_gives_up_with_what_went_wrong():
    down = Losing(iter(lambda: 503, "never"))
    with pytest.raises(Unavailable):
        client_over(down, Retries(times=2, first_wait=0.001)).search("anything")
    assert len(down.sent) == 3
    with pytest.raises(NoAnswer):
        client_over(Losing(iter(lambda: "unreachable", "never")), Retries(times=1, first_wait=0.001)).search("x")


class Limited(httpx.BaseTransport):
    def __init__(self, wait):
        self.wait = wait
        self.sent = 0

    def handle_request(self, request):
        self.sent += 1
        body = {"detail": "Too many requests.", "code": "rate_limited"}
        return httpx.Response(429, json=body, headers={"Retry-After": self.wait})


def test_retry_after_is_waited_for_unless_it_is_too_long():
    soon = Limited("0")
    with pytest.raises(RateLimited):
        client_over(soon, Retries(times=3, first_wait=0.001)).search("x")
    assert soon.sent == 4
    late = Limited("55")
    with pytest.raises(RateLimited) as limited:
        client_over(late).search("x")
    assert late.sent == 1 and limited.value.retry_after == 55


def test_async_is_repeated_too():
    async def run():
        losing = Losing(iter(["answer", 503, "unreachable"]))
        memory = AsyncRecollect()
        http = httpx.AsyncClient(
            transport=AsyncRetryingTransport(losing, FAST),
            base_url=os.environ["RECOLLECT_URL"],
            headers={"X-API-Key": os.environ["RECOLLECT_API_KEY"]},
        )
        memory.api.set_async_httpx_client(http)
        await memory.remember("Kept once, async", f"python/{uuid.uuid4()}")
        assert len({request.headers["idempotency-key"] for request in losing.sent}) == 1 and len(losing.sent) == 4
        await memory.close()

    asyncio.run(run())
