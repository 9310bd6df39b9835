"""Where an integration stores what has a name of its own: the path and the id that follow from the name. The TypeScript
client derives the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

#: Leaves room in a path, which may have 512 characters, for a caller's prefix.
LABELS_MAX = 320


def path_below(root: str, labels: Sequence[str]) -> str:
    """A path below the root with the first labels, as many as fit."""
    path = root
    for label in labels:
        longer = f"{path}/{_encoded(label)}"
        if len(longer) > len(root) + LABELS_MAX:
            break
        path = longer
    return path


def derived_id(kind: str, name: Sequence[Any]) -> str:
    """A memory id that is the same for the same name."""
    named = json.dumps(name, ensure_ascii=False, separators=(",", ":"))
    return f"{kind}-{hashlib.sha256(named.encode()).hexdigest()}"


def _encoded(label: str) -> str:
    """Keeps letters, digits, ``.``, ``-`` and ``_``, and never leaves separators or wildcards."""
    return re.sub(r"[^\w.-]", lambda sign: "".join(f"={byte:02x}" for byte in sign[0].encode()), label, flags=re.ASCII)
