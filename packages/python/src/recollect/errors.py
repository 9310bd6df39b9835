"""What a call raises. Handle them by class, or by ``code``, which the contract of the service lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .http import httpx


class RecollectError(Exception):
    """A refusal of the service."""

    #: Whether a write may have been carried out nevertheless: an earlier attempt got no answer.
    outcome_unknown: bool = False

    def __init__(self, status: int, code: str, detail: Any, request_id: str | None) -> None:
        self.status = status
        self.code = code
        self.detail = detail
        #: Names the request in the server's log.
        self.request_id = request_id
        super().__init__(f"{status} {code}: {_words_of(detail)}")


@dataclass(frozen=True)
class Issue:
    """What was wrong with one member of a request, and where it was."""

    loc: tuple[str | int, ...]
    msg: str
    type: str


class InvalidRequest(RecollectError):
    """The request is not valid; ``issues`` says where. Also for content that holds a secret, where that is refused."""

    @property
    def issues(self) -> list[Issue]:
        if not isinstance(self.detail, list):
            return []
        return [Issue(tuple(issue["loc"]), issue["msg"], issue["type"]) for issue in self.detail]


class SecretDetected(InvalidRequest):
    """The content holds a credential, and the server refuses such content."""


class InvalidToken(RecollectError):
    """The key is missing, expired, revoked or otherwise not valid."""


class Forbidden(RecollectError):
    """The key may not do this."""


class NotFound(RecollectError):
    """There is no such thing, or the key may not see it."""


class Conflict(RecollectError):
    """It does not fit the state of things; ``code`` says why."""


class PreconditionFailed(RecollectError):
    """It has changed since it was read."""


class TooLarge(RecollectError):
    """The request is larger than the server takes."""


class QuotaExceeded(RecollectError):
    """The owner may not keep more."""


class RateLimited(RecollectError):
    """Too many requests; ``retry_after`` seconds are left of the window. Raised when the retries are used up."""

    retry_after: float | None = None


class Unavailable(RecollectError):
    """The server cannot answer now. Raised when the retries are used up."""


class NoAnswer(Exception):
    """The server could not be reached, or did not answer in time. What was asked for may have been done."""


_BY_CODE: dict[str, type[RecollectError]] = {
    "secret_detected": SecretDetected,
    "quota_exceeded": QuotaExceeded,
    "precondition_failed": PreconditionFailed,
    "rate_limited": RateLimited,
}

_BY_STATUS: dict[int, type[RecollectError]] = {
    400: InvalidRequest,
    401: InvalidToken,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    413: TooLarge,
    422: InvalidRequest,
    429: RateLimited,
    500: Unavailable,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def error_of(response: httpx.Response) -> RecollectError:
    """The error that a response stands for; its body has been read."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        # A proxy's page, say.
        body = {"detail": response.text[:500]}
    code = body.get("code") or "unknown"
    kind = _BY_CODE.get(code) or _BY_STATUS.get(response.status_code, RecollectError)
    error = kind(response.status_code, code, body.get("hint") or body.get("detail"), response.headers.get("x-request-id"))
    if isinstance(error, RateLimited):
        error.retry_after = retry_after(response)
    return error


def retry_after(response: httpx.Response) -> float | None:
    """The seconds that the response asks to wait; None where it does not say."""
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def _words_of(detail: Any) -> str:
    if not isinstance(detail, list):
        return str(detail)
    return "; ".join(f"{'.'.join(str(step) for step in issue['loc'])} {issue['msg']}" for issue in detail)
