"""Whole turns of the real frameworks. Each module runs one turn with a scripted model, for ``tests/test_frameworks.py``."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A reply of the scripted model that calls a tool."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass
class Script:
    """Replies of the model, one a step, and the prompts that it was given, as text."""

    replies: list[str | Call]
    prompts: list[str] = field(default_factory=list)

    def next(self, prompt: Any) -> str | Call:
        self.prompts.append(prompt if isinstance(prompt, str) else repr(prompt))
        return self.replies[len(self.prompts) - 1]
