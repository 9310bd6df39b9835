"""Client of Recollect, the memory service for AI agents."""

from .client import AsyncRecollect, Recollect
from .connection import Connection
from .errors import (
    Conflict,
    Forbidden,
    InvalidRequest,
    InvalidToken,
    Issue,
    NoAnswer,
    NotFound,
    PreconditionFailed,
    QuotaExceeded,
    RateLimited,
    RecollectError,
    SecretDetected,
    TooLarge,
    Unavailable,
)
from .retrying import Retries

__all__ = [
    "AsyncRecollect",
    "Conflict",
    "Connection",
    "Forbidden",
    "InvalidRequest",
    "InvalidToken",
    "Issue",
    "NoAnswer",
    "NotFound",
    "PreconditionFailed",
    "QuotaExceeded",
    "RateLimited",
    "Recollect",
    "RecollectError",
    "Retries",
    "SecretDetected",
    "TooLarge",
    "Unavailable",
]
