"""What schemathesis must know beyond the OpenAPI document: credentials, and rules that JSON Schema cannot say."""

import os
import re
import uuid
from urllib.parse import quote

import requests
import schemathesis
from schemathesis.core import NOT_SET

BASE = os.environ["PROTOCOL_URL"]
KEY = {"Authorization": f"Bearer {os.environ['PROTOCOL_API_KEY']}"}

# Rules on what a request means, which JSON Schema cannot say: the member and the words of the refusal. A schema-valid
# request may be refused for these alone.
BEYOND_JSON_SCHEMA = {
    # Rules between members; if/then would hide the members from most readers and generators.
    ("replacement_content", "replacement_content and metadata go with mode redact only"),
    ("team_id", "scope team needs team_id: the team that will own the memory."),
    ("team_id", "A private memory belongs to no team; leave team_id out or use scope team."),
    ("plan_hash", "must be the plan_hash of a dry run of the same filter"),
    ("body", "must have exactly one of target_ids, confirm_all_matching: true and plan_hash"),
    # A filter whose members are all null says nothing.
    ("filter", "must name at least one filter"),
    # Rules on what is stored already.
    ("superseded_by", "must name another live memory of the same owner that this credential may change"),
    ("team_id", "A memory cannot change its owner: store it anew where it belongs, then delete this one."),
    ("scope", "A memory cannot change its owner: store it anew where it belongs, then delete this one."),
    ("depends_on", "must be a todo of this workspace that this credential sees"),
    ("supersedes", "must be a decision of this workspace that this credential may change"),
    # Digits of the right form that are no place in the list.
    ("cursor", "must be the next_cursor of an earlier page"),
}

# Narrower than the document, so that what is generated is nearly always valid. The document leaves these open: the
# list of time zones belongs to the runtime, and a cursor is the service's own matter.
NARROWER = {
    "time_zone": {"enum": ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]},
    "cursor": {"pattern": r"^-?[0-9]{1,15}\.[0-9]{1,15}$"},
}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for schema in raw_schema["components"]["schemas"].values():
        for name, member in schema.get("properties", {}).items():
            narrow(name, member)
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", []):
                if parameter.get("in") == "query":
                    narrow(parameter["name"], parameter["schema"])


def narrow(name, schema):
    for branch in [schema, *schema.get("anyOf", [])]:
        if name in NARROWER and branch.get("type") == "string":
            branch.update(NARROWER[name])


@schemathesis.hook.apply_to(operation_id="forgetMemory")
def map_body(context, body):
    """What goes with redact only is mostly sent with it, so that it is tried at all."""
    goes_with_redact = isinstance(body, dict) and (body.get("replacement_content") or body.get("metadata"))
    if goes_with_redact and body.get("mode", "soft_delete") in ("soft_delete", "hard_delete"):
        return {**body, "mode": "redact"}
    return body


@schemathesis.hook.apply_to(operation_id="forgetMemory")
def before_add_examples(context, examples):
    for case in examples:
        case.body = map_body(context, case.body)


@schemathesis.hook.apply_to(operation_id="confirmBinding")
def filter_case(context, case):
    """Its token is required, but in the query or in the body, which the document cannot say."""
    body = {} if case.body is NOT_SET else case.body
    return "confirmation_token" in (case.query or {}) or not isinstance(body, dict) or "confirmation_token" in body


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes well-formed headers mean what they are for: a 409 or 412 for each would hide what else is right or wrong."""
    # A key that was used for another request is a conflict.
    if re.fullmatch("[!-~]{1,255}", case.headers.get("Idempotency-Key", "")):
        case.headers["Idempotency-Key"] = uuid.uuid4().hex
    # The state of now, where the memory can be read; no condition where it cannot.
    if 1 <= len(case.headers.get("If-Match", "")) <= 256:
        del case.headers["If-Match"]
        address = f"{BASE}/v1/memories/{quote(str(case.path_parameters.get('memory_id')), safe='')}"
        state = requests.get(address, headers=KEY, timeout=60).headers.get("ETag")
        if state is not None:
            case.headers["If-Match"] = state


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if failure.code != "ST202" or response.status_code != 422:
        return True
    issues = response.json()["detail"]
    return any((member_of(issue), issue["msg"]) not in BEYOND_JSON_SCHEMA for issue in issues)


def member_of(issue):
    """The member that an issue is about, also where it is one of a list."""
    return [place for place in issue["loc"] if isinstance(place, str)][-1]


FOR_TEMPORARY_AGENTS = ["getAgentStatus", "getBindStatus", "confirmBinding", "denyBinding"]
FOR_FORMAL_AGENTS = ["rotateAgentToken", "issueSkillToken"]


class Bearer:
    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.auth(refresh_interval=None).apply_to(operation_id=FOR_TEMPORARY_AGENTS)
class TemporaryAgent(Bearer):
    """A new agent each time: giving up the binding ends it."""

    def get(self, case, context):
        registration = {
            "entry_type": "mcp",
            "client_name": "Schemathesis",
            "installation_fingerprint": "schemathesis",
        }
        return requests.post(f"{BASE}/v1/agents/register", json=registration, timeout=60).json()["temporary_token"]


@schemathesis.auth(refresh_interval=None).apply_to(operation_id=FOR_FORMAL_AGENTS)
class FormalAgent(Bearer):
    """One agent, with the token it has got last."""

    token = os.environ["PROTOCOL_AGENT_TOKEN"]

    def get(self, case, context):
        return FormalAgent.token


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.label == "POST /v1/agents/rotate" and response.status_code == 200:
        FormalAgent.token = response.json()["token"]


@schemathesis.auth(refresh_interval=None).skip_for(operation_id=[*FOR_TEMPORARY_AGENTS, *FOR_FORMAL_AGENTS])
class ApiKey(Bearer):
    def get(self, case, context):
        return os.environ["PROTOCOL_API_KEY"]
