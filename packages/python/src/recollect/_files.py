"""Files of the memory tool, each a memory, and the six commands on them.

Everything is written once, as coroutines over ``Send``: a blocking one never suspends, so that ``run_blocking`` finishes.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ._placement import derived_id, path_below
from .errors import Conflict, NoAnswer, NotFound, PreconditionFailed, RecollectError

T = TypeVar("T")
Json = dict[str, Any]
Change = Callable[[str], tuple[str, str]]

ROOT = "/memories"
BUCKET = "memory-files"
PAGE = 1000
FOLDER_DEPTH = 2
FOLDER_SIZE = "4K"
SNIPPET_LINES = 2
TEXT_MAX = 65_536
NAME_MAX = 1024
EDIT_ATTEMPTS = 12
BACK_OFF = 0.015
BACK_OFF_MAX = 0.2
UNCLEAR = "If this was a change, view the file before you try it again."


class Refused(Exception):
    """A command that is not carried out; the model reads the words."""


class Send(Protocol):
    async def __call__(
        self,
        method: str,
        path: str,
        *,
        body: Json | None = None,
        query: Json | None = None,
        if_match: str | None = None,
    ) -> Json: ...


@dataclass(frozen=True)
class File:
    """A file as it was read. Writes that name it are refused if it has changed since."""

    name: str
    text: str
    id: str
    etag: str
    is_deleted: bool = False


class Files:
    """Folders exist while a file is below them."""

    def __init__(self, send: Send, path: str, team_id: str | None) -> None:
        self._send = send
        self._root = path
        self._owner: Json = {"scope": "private"} if team_id is None else {"scope": "team", "team_id": team_id}

    async def find(self, name: str) -> File | None:
        file = await self._stored(self._id(name))
        return None if file is None or file.is_deleted else file

    async def below(self, folder: str) -> list[tuple[str, str]]:
        """Names and texts of all files below a folder."""
        files: list[tuple[str, str]] = []
        query = {**self._owner, "bucket": BUCKET, "path_under": self._path(folder), "limit": PAGE}
        while True:
            page = await self._send("GET", "/v1/memories", query=query)
            for memory in page["memories"]:
                name = memory["metadata"].get("file")
                if isinstance(name, str) and not memory["metadata"].get("deleted") and is_below(name, folder):
                    files.append((name, _text(memory)))
            if not page.get("next_cursor"):
                return files
            query["cursor"] = page["next_cursor"]

    async def create(self, name: str, text: str) -> list[Json] | None:
        """Creates a file, and returns the secrets that were replaced; None if there is one already."""
        memory_id = self._id(name)
        place = {"memory_id": memory_id, "path": self._path(name), "bucket": BUCKET, **self._owner}
        try:
            answer = await self._send("POST", "/v1/memories", body={**place, **_content(name, text)})
            return answer.get("masked") or []
        except Conflict as error:
            if error.code != "memory_id_conflict":
                raise
        # Only one of several creators restores a forgotten file. A mark says the same of one that is being deleted.
        is_restored = await self._restore(memory_id)
        file = await self._stored(memory_id)
        return await self.write(file, text) if file and (is_restored or file.is_deleted) else None

    async def write(self, file: File, text: str) -> list[Json] | None:
        """Replaces the text, and returns the secrets that were replaced; None if the file has changed since."""
        body = {**_content(file.name, text), "merge_metadata": False, "detect_conflicts": False}
        sent = self._send("PATCH", f"/v1/memories/{file.id}", body=body, if_match=file.etag)
        answer = await _unless_changed(sent)
        return None if answer is None else answer.get("masked") or []

    async def remove(self, file: File) -> bool:
        """Forgets the file, which a person can restore; False if it has changed since it was read."""
        mark = {"metadata": {"deleted": True}, "merge_metadata": True}
        sent = self._send("PATCH", f"/v1/memories/{file.id}", body=mark, if_match=file.etag)
        marked = await _unless_changed(sent)
        if marked is None:
            return False
        # If this is refused, the file has been created anew, which comes after the deletion.
        forget = self._send("POST", f"/v1/memories/{file.id}/forget", body={}, if_match=marked.get("etag"))
        await _unless_changed(forget)
        return True

    async def _restore(self, memory_id: str) -> bool:
        try:
            await self._send("POST", f"/v1/memories/{memory_id}/restore")
        except NotFound:
            return False
        except Conflict as error:
            if error.code != "not_restorable":
                raise
            return False
        return True

    async def _stored(self, memory_id: str) -> File | None:
        """None also if it is another owner's: a teammate can give a team's memory the same id."""
        try:
            memory = await self._send("GET", f"/v1/memories/{memory_id}")
        except NotFound:
            return None
        held = memory["metadata"]
        is_own = all(memory.get(member) == value for member, value in self._owner.items())
        if not is_own or not isinstance(held.get("file"), str):
            return None
        return File(held["file"], _text(memory), memory["id"], memory["etag"], bool(held.get("deleted")))

    def _path(self, name: str) -> str:
        return path_below(self._root, name.split("/") if name else [])

    def _id(self, name: str) -> str:
        return derived_id("file", [self._root, self._owner, name])


async def _unless_changed(sent: Awaitable[Json]) -> Json | None:
    try:
        return await sent
    except (PreconditionFailed, NotFound) as error:
        # A refusal after a lost answer may be due to the request's own first attempt.
        if error.outcome_unknown:
            raise
        return None


def is_below(name: str, folder: str) -> bool:
    return folder == "" or name.startswith(f"{folder}/")


def _content(name: str, text: str) -> Json:
    # A memory has no empty content.
    if text == "":
        return {"content": "\n", "metadata": {"file": name, "empty": True}}
    return {"content": text, "metadata": {"file": name}}


def _text(memory: Json) -> str:
    content: str = memory["content"]
    return "" if memory["metadata"].get("empty") and content == "\n" else content


class Commands:
    """The commands of one call. Answers and refusals are those of the SDK's own local tool, to the letter."""

    def __init__(self, files: Files, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._files = files
        self._sleep = sleep

    async def view(self, path: str, view_range: list[int] | None) -> str:
        name = name_of(path)
        file = await self._files.find(name) if name else None
        if file:
            return _file_view(path, file.text, view_range)
        below = await self._files.below(name)
        if name and not below:
            raise Refused(f"The path {path} does not exist. Please provide a valid path.")
        return _folder_view(path, name, below)

    async def create(self, path: str, file_text: str) -> str:
        name = name_of(path)
        if await self._is_taken(name):
            raise Refused(f"File {path} already exists")
        await self._check_place(path, name)
        _check_text(path, file_text)
        masked = await self._files.create(name, file_text)
        if masked is None:
            raise Refused(f"File {path} already exists")
        return f"File created successfully at: {path}{_masked_note(masked)}"

    async def str_replace(self, path: str, old_str: str, new_str: str | None) -> str:
        return await self._edit(path, lambda text: _replace_once(path, text, old_str, new_str or ""))

    async def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        answer = f"The file {path} has been edited."
        return await self._edit(path, lambda text: (_insert_at(text, insert_line, insert_text), answer))

    async def delete(self, path: str) -> str:
        name = name_of(path)
        if not name:
            raise Refused("Cannot delete the /memories directory itself")
        names = await self._names_at(name)
        if not names:
            raise Refused(f"The path {path} does not exist")
        for each in names:
            await self._remove(each)
        return f"Successfully deleted {path}"

    async def rename(self, old_path: str, new_path: str) -> str:
        source, target = name_of(old_path), name_of(new_path)
        if not source:
            raise Refused("Cannot rename the /memories directory itself")
        if await self._is_taken(target):
            raise Refused(f"The destination {new_path} already exists")
        names = await self._names_at(source)
        if not names:
            raise Refused(f"The path {old_path} does not exist")
        if is_below(target, source):
            raise Refused(f"Cannot move {old_path} below itself")
        await self._check_place(new_path, target)
        masked = [secret for name in names for secret in await self._move(name, target + name[len(source) :])]
        return f"Successfully renamed {old_path} to {new_path}{_masked_note(masked)}"

    async def _edit(self, path: str, change: Change) -> str:
        name = name_of(path)
        for attempt in range(EDIT_ATTEMPTS):
            file = await self._files.find(name) if name else None
            if file is None:
                if not name or await self._files.below(name):
                    raise Refused(f"The path {path} is not a file.")
                raise Refused(f"The path {path} does not exist. Please provide a valid path.")
            text, answer = change(file.text)
            _check_text(path, text)
            masked = await self._files.write(file, text)
            if masked is not None:
                return answer + _masked_note(masked)
            await self._pause(attempt)
        raise Refused(f"The file {path} was being changed by others, and was not edited. Please try again.")

    async def _move(self, source: str, target: str) -> list[Json]:
        """Copies the file and forgets the old one, again if it was changed between the two."""
        for attempt in range(EDIT_ATTEMPTS):
            file = await self._files.find(source)
            if file is None:
                raise Refused(f"The path {ROOT}/{source} does not exist")
            masked = await self._files.create(target, file.text)
            if masked is None:
                raise Refused(f"The destination {ROOT}/{target} already exists")
            if await self._files.remove(file):
                return masked
            copy = await self._files.find(target)
            if copy and (copy.text != file.text or not await self._files.remove(copy)):
                break
            await self._pause(attempt)
        raise Refused(
            f"{ROOT}/{source} was being changed by others, and was not moved. View it and {ROOT}/{target}."
        )

    async def _remove(self, name: str) -> None:
        for attempt in range(EDIT_ATTEMPTS):
            file = await self._files.find(name)
            if file is None or await self._files.remove(file):
                return
            await self._pause(attempt)
        raise Refused(f"The file {ROOT}/{name} was being changed by others, and was not deleted. Please try again.")

    async def _names_at(self, name: str) -> list[str]:
        """The name of the file, or the names of all files below the folder."""
        if await self._files.find(name):
            return [name]
        return [each for each, _ in await self._files.below(name)]

    async def _is_taken(self, name: str) -> bool:
        return name == "" or bool(await self._names_at(name))

    async def _check_place(self, path: str, name: str) -> None:
        """Raises if there can be no file of that name."""
        if len(name) > NAME_MAX:
            raise Refused(f"Paths have at most {NAME_MAX} characters.")
        if re.search("[\0\ud800-\udfff]", name):
            raise Refused("Paths may not contain null characters or unpaired surrogates.")
        names = name.split("/")
        for end in range(1, len(names)):
            folder = "/".join(names[:end])
            if await self._files.find(folder):
                raise Refused(f"Cannot create {path}: {ROOT}/{folder} is a file, not a directory.")

    async def _pause(self, attempt: int) -> None:
        await self._sleep(random.uniform(0, min(BACK_OFF_MAX, BACK_OFF * 2.0**attempt)))


def name_of(path: str) -> str:
    """The name of a path, relative to the root and without ``.`` and ``..``; empty for the root."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Refused(f"Path must start with {ROOT}, got: {path}")
    names: list[str] = []
    for name in path[len(ROOT) :].split("/"):
        if name == "..":
            if not names:
                raise Refused(f"Path {path} would escape {ROOT} directory")
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return "/".join(names)


def _numbered(lines: list[str], start: int) -> str:
    return "\n".join(f"{start + at + 1:>6}\t{line}" for at, line in enumerate(lines))


def _file_view(path: str, text: str, view_range: list[int] | None) -> str:
    lines = text.split("\n")
    first, last = view_range if view_range and len(view_range) == 2 else (1, -1)
    start = max(1, first) - 1
    shown = lines[start:] if last == -1 else lines[start:last]
    return f"Here's the content of {path} with line numbers:\n{_numbered(shown, start)}"


def _folder_view(path: str, folder: str, files: list[tuple[str, str]]) -> str:
    sizes: dict[tuple[str, ...], str] = {}
    for name, text in files:
        names = (name[len(folder) + 1 :] if folder else name).split("/")
        for depth in range(1, min(len(names), FOLDER_DEPTH) + 1):
            if names[depth - 1].startswith("."):
                break
            if depth < len(names):
                # The empty last part puts a folder before its files, and ends its path with a slash.
                sizes[(*names[:depth], "")] = FOLDER_SIZE
            else:
                sizes[tuple(names)] = _size(len(text.encode()))
    lines = [f"{FOLDER_SIZE}\t{path}", *(f"{size}\t{path}/{'/'.join(name)}" for name, size in sorted(sizes.items()))]
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, *lines])


def _size(count: int) -> str:
    size, unit = float(count), 0
    while size >= 1024 and unit < 3:
        size, unit = size / 1024, unit + 1
    return f"{int(size) if size == int(size) else f'{size:.1f}'}{'BKMG'[unit]}"


def _replace_once(path: str, text: str, old: str, new: str) -> tuple[str, str]:
    count = text.count(old)
    if count == 0:
        raise Refused(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if count > 1:
        lines = ", ".join(str(text[:at].count("\n") + 1) for at in _places(text, old))
        raise Refused(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    line = text[: text.find(old)].count("\n")
    changed = text.replace(old, new)
    start = max(0, line - SNIPPET_LINES)
    snippet = _numbered(changed.split("\n")[start : line + SNIPPET_LINES + 1], start)
    return (
        changed,
        f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}",
    )


def _places(text: str, part: str) -> list[int]:
    return [at for at in range(len(text) + 1) if text.startswith(part, at)]


def _insert_at(text: str, line: int, inserted: str) -> str:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise Refused(
            f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(line, inserted.rstrip("\n"))
    changed = "\n".join(lines)
    return changed if changed.endswith("\n") else f"{changed}\n"


def _check_text(path: str, text: str) -> None:
    if len(text) > TEXT_MAX:
        raise Refused(
            f"The file {path} would have {len(text)} characters, more than the maximum of {TEXT_MAX}. "
            "Split it into several files."
        )


def _masked_note(masked: list[Json]) -> str:
    if not masked:
        return ""
    kinds = ", ".join(dict.fromkeys(f"[secret:{secret['kind']}]" for secret in masked))
    return f"\nSecrets are not stored: the file has {kinds} in their place. View it before you edit it."


def words_for(error: RecollectError | NoAnswer | TimeoutError) -> str:
    """The sentence that a model reads if the service fails."""
    if isinstance(error, TimeoutError):
        return f"The memory service failed. It did not answer in time. {UNCLEAR}"
    is_unclear = isinstance(error, NoAnswer) or error.outcome_unknown
    return f"The memory service failed. {error}{f' {UNCLEAR}' if is_unclear else ''}"


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise RuntimeError("A blocking call suspended.")


def remaining(deadline: float) -> float:
    """Seconds until a time of ``time.monotonic``; raises a TimeoutError if there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
