"""Connections for each event loop, so that one client serves several ``asyncio.run``, one after another."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from .http import httpx


class LoopTransport(httpx.AsyncBaseTransport):
    """A connection belongs to the event loop that opened it: on another one it would fail."""

    def __init__(self) -> None:
        self._tls = httpx.create_ssl_context()
        self._transports: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncHTTPTransport] = WeakKeyDictionary()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        loop = asyncio.get_running_loop()
        if loop not in self._transports:
            self._transports[loop] = httpx.AsyncHTTPTransport(verify=self._tls)
        return await self._transports[loop].handle_async_request(request)

    async def aclose(self) -> None:
        """Closes the connections of this event loop; those of a loop that has ended are gone with it."""
        transport = self._transports.pop(asyncio.get_running_loop(), None)
        if transport is not None:
            await transport.aclose()
