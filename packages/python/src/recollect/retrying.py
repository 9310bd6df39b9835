"""Sends requests again where that is safe, and turns refusals into errors: as a transport, so that it holds for every
generated operation too.

A request is sent again when it surely did nothing (no connection, 429, 503 ``overloaded``), and after any other loss when
a repeat cannot do it twice: GET, PATCH and DELETE, a POST that only reads, and a POST that carries an ``Idempotency-Key``.
The transport gives such a POST a key where it has none, and keeps to it.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
import uuid
from dataclasses import dataclass

from .http import httpx

from .errors import NoAnswer, error_of, retry_after
from .generated import repeatable

_KEY = "Idempotency-Key"
_KEYED = re.compile("|".join(repeatable.KEYED))
_READING = re.compile("|".join(repeatable.READING))
_LOST = {500, 502, 503, 504}


@dataclass(frozen=True)
class Retries:
    """How often a request is sent again, and how long to wait before: twice as long each time, at random within that."""

    times: int = 4
    first_wait: float = 0.25
    longest_wait: float = 20.0

    def wait(self, attempt: int, asked: float | None) -> float | None:
        """Seconds before attempt ``attempt`` + 1; None where there is none. What the server asked for goes before."""
        if attempt >= self.times or (asked is not None and asked > self.longest_wait):
            return None
        if asked is not None:
            return asked + random.uniform(0, self.first_wait)
        return random.uniform(0.5, 1.0) * min(self.longest_wait, self.first_wait * 2.0**attempt)


class _Attempts:
    """What both transports decide alike: one request's attempts."""

    def __init__(self, request: httpx.Request, retries: Retries) -> None:
        #: A caller may have its own for one request.
        self._retries: Retries = request.extensions.get("recollect_retries", retries)
        self._count = 0
        path = request.url.path
        is_keyed = request.method == "POST" and _ends(_KEYED, path)
        if is_keyed and _KEY not in request.headers:
            request.headers[_KEY] = str(uuid.uuid4())
        self._is_keyed = is_keyed
        self._is_safe = request.method != "POST" or is_keyed or _ends(_READING, path)
        self._may_have_run = False
        #: A caller's limit for all attempts together, as a time of ``time.monotonic``.
        self._deadline: float | None = request.extensions.get("recollect_deadline")

    def after_error(self, error: httpx.TransportError) -> float:
        """Seconds to wait; raises where it is not sent again."""
        is_unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        self._may_have_run |= not is_unsent
        wait = self._next(None) if self._is_safe or is_unsent else None
        if wait is None:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        return wait

    def after_answer(self, response: httpx.Response) -> float | None:
        """Seconds to wait before it is sent again; None where the response is the answer. Raises what it stands for."""
        if response.status_code < 400:
            return None
        error = error_of(response)
        if self._is_worth_another(response.status_code, error.code):
            wait = self._next(retry_after(response))
            if wait is not None:
                return wait
        error.outcome_unknown = self._may_have_run
        raise error

    def _is_worth_another(self, status: int, code: str) -> bool:
        if status == 429 or code == "overloaded":
            return True
        if status in _LOST:
            self._may_have_run = True
            return self._is_safe
        # The first attempt, of which the answer was lost, is still at it.
        return status == 409 and code == "conflict" and self._is_keyed and self._may_have_run

    def _next(self, asked: float | None) -> float | None:
        wait = self._retries.wait(self._count, asked)
        self._count += 1
        if wait is not None and self._deadline is not None and time.monotonic() + wait >= self._deadline:
            return None
        return wait


def _ends(pattern: re.Pattern[str], path: str) -> bool:
    """Whether the path is one of the pattern's, below whatever prefix the server is at."""
    return any(found.end() == len(path) for found in pattern.finditer(path))


class RetryingTransport(httpx.BaseTransport):
    """Around another transport, for ``httpx.Client``."""

    def __init__(self, inner: httpx.BaseTransport, retries: Retries) -> None:
        self._inner = inner
        self._retries = retries

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        attempts = _Attempts(request, self._retries)
        while True:
            try:
                response = self._inner.handle_request(request)
                response.read()
            except httpx.TransportError as error:
                wait: float | None = attempts.after_error(error)
            else:
                wait = attempts.after_answer(response)
                if wait is None:
                    return response
            time.sleep(wait or 0)

    def close(self) -> None:
        self._inner.close()


class AsyncRetryingTransport(httpx.AsyncBaseTransport):
    """Around another transport, for ``httpx.AsyncClient``."""

    def __init__(self, inner: httpx.AsyncBaseTransport, retries: Retries) -> None:
        self._inner = inner
        self._retries = retries

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        attempts = _Attempts(request, self._retries)
        while True:
            try:
                response = await self._inner.handle_async_request(request)
                await response.aread()
            except httpx.TransportError as error:
                wait: float | None = attempts.after_error(error)
            else:
                wait = attempts.after_answer(response)
                if wait is None:
                    return response
            await asyncio.sleep(wait or 0)

    async def aclose(self) -> None:
        await self._inner.aclose()
