"""Makes src/recollect/generated from an OpenAPI document, as build.ts does: python generate.py openapi.json"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

GENERATED = Path(__file__).parent / "src" / "recollect" / "generated"

# What the generator says of a part that it leaves out, though it ends well.
LEFT_OUT = re.compile(r"Unable to|Failure to process|Attempted to generate duplicate")

READING_SCOPES = {"memory:read", "knowledge:read"}

# Names of memory operations in OpenTelemetry's conventions for generative AI, as src/adapters/watch/gen-ai-operations.ts
# has them.
GEN_AI_OPERATIONS = {
    "recallContext": "search_memory",
    "searchMemories": "search_memory",
    "searchMemoriesByBody": "search_memory",
    "storeMemory": "create_memory",
    "storeBatch": "create_memory",
    "storeConversation": "create_memory",
    "remember": "upsert_memory",
    "updateMemory": "update_memory",
    "forgetMemory": "delete_memory",
    "deleteMemory": "delete_memory",
}


def generate(document: Path) -> None:
    """Replaces the generated package; raises with what the generator wrote where it left something out."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    generator = Path(sys.executable).with_name("openapi-python-client")
    command = [generator, "generate", "--path", document, "--meta", "none", "--output-path", GENERATED]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode != 0 or LEFT_OUT.search(ran.stdout):
        raise SystemExit(ran.stdout)
    for module in GENERATED.rglob("*.py"):
        module.write_text(re.sub(r"^import httpx$", "from recollect.http import httpx", module.read_text(), flags=re.M))
    described = json.loads(document.read_text())
    (GENERATED / "repeatable.py").write_text(repeatable(described))
    (GENERATED / "memory_operations.py").write_text(memory_operations(described))


def repeatable(document: dict) -> str:
    """The module that names the POSTs that may be sent again."""
    keyed, reading = [], []
    for path, methods in document["paths"].items():
        post = methods.get("post")
        if post is None:
            continue
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))
        scopes = set(post.get("x-scopes", []))
        if any("IdempotencyKey" in parameter.get("$ref", "") for parameter in post.get("parameters", [])):
            keyed.append(pattern)
        elif scopes and scopes <= READING_SCOPES:
            reading.append(pattern)
    return (
        '"""Which POSTs may be sent again, as patterns of their paths."""\n\n'
        f"# A repeat under the same Idempotency-Key is answered as the first one was.\nKEYED = {keyed!r}\n\n"
        f"# These change nothing.\nREADING = {reading!r}\n"
    )


def memory_operations(document: dict) -> str:
    """The module that names the operations for which a span is made."""
    operations = [
        (method.upper(), re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)), GEN_AI_OPERATIONS[operation["operationId"]])
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if isinstance(operation, dict) and operation.get("operationId") in GEN_AI_OPERATIONS
    ]
    if len(operations) != len(GEN_AI_OPERATIONS):
        raise SystemExit("An operation of GEN_AI_OPERATIONS is not in the description.")
    return (
        '"""Operations that have a span: method, pattern of the path, name."""\n\n'
        f"MEMORY_OPERATIONS = {operations!r}\n"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    generate(Path(sys.argv[1]).resolve())
