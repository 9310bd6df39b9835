"""httpx if it is installed, else httpx2, which has the same interface."""

try:
    import httpx
except ModuleNotFoundError:  # pragma: no cover
    import httpx2 as httpx  # type: ignore[import-not-found, no-redef, unused-ignore]

__all__ = ["httpx"]
