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

PROJECT_ID_RULE = "must be 1 to 128 of A-Z a-z 0-9 . _ : -, and not . or .. or a word for nothing, such as null"

# Rules on what a request means, which JSON Schema cannot say: the member and the words of the refusal. A schema-valid
# request may be refused for these alone.
BEYOND_JSON_SCHEMA = {
    # Rules between members; if/then would hide the members from most readers and generators.
    ("content", "must be what context says, or left out"),
    ("project_id", "names a different project than X-Project-Id"),
    ("project_id", "names a different project than provenance.project_id"),
    ("x-session-id", "must name the session that sessions=own asks for"),
    ("team_id", "scope team needs team_id: the team that will own the memory."),
    ("team_id", "A private memory belongs to no team; leave team_id out or use scope team."),
    ("plan_hash", "must be the plan_hash of a dry run of the same filter"),
    ("end_users", "an end user has no end users"),
    ("body", "must have exactly one of target_ids, confirm_all_matching: true and plan_hash"),
    # What only a search can be asked.
    ("metadata", "does not go with max_items and max_tokens, which ask for a context pack"),
    ("candidate_count", "does not go with max_items and max_tokens, which ask for a context pack"),
    ("retrievers", "does not go with max_items and max_tokens, which ask for a context pack"),
    # What the service may request is the operator's word.
    ("url", "Only https is requested."),
    ("url", "No credentials are sent."),
    ("url", "The address is not public, and the operator has not allowed it."),
    # The pattern is in the document, but the suite's shortest header does without it.
    ("last_event_id", "must be the id of an event, or the next of an answer"),
    # An erasure is in two steps, and only what the first answered is right for the second.
    ("plan_hash", "must be the plan_hash of a dry run"),
    ("confirm", "must be the name that the dry run returned"),
    # An id of the right form that no event has.
    ("after", "is not the id of an event of this service"),
    ("last_event_id", "is not the id of an event of this service"),
    # A filter whose members are all null says nothing.
    ("filter", "must name at least one filter"),
    # URLs take these names away.
    *((member, PROJECT_ID_RULE) for member in ("project_id", "x-project-id", "projects")),
    # Rules on what is stored already.
    ("superseded_by", "must name another live memory of the same owner that this credential may change"),
    ("team_id", "The memory does not belong to that team. To move it there, send scope team as well."),
    ("depends_on", "must be a todo of this workspace that this credential sees"),
    ("supersedes", "must be a decision of this workspace that this credential may change"),
    # A text of the right form that is no place in the list.
    ("cursor", "must be the next_cursor of an earlier page"),
    ("cursor", "must be the next_cursor of an answer to the same request"),
    ("cursor", "must be the id of an item of this list; begin again without it"),
    ("content_offset", "must be before the end of the content"),
    # Money is not rounded, and how many digits it has is up to its currency.
    ("amount", "must be a decimal number such as 12.50"),
    ("amount", "has more digits than a JSON number keeps: send it as a string"),
    *(("amount", f"must have at most {digits} digits after the point") for digits in (0, 2, 3, 4)),
}

# Rules on any member: an integer that the parser would round, and a name that looks like a member's misspelt.
BEYOND_BY_TYPE = {"integer_inexact", "extra_forbidden"}

# Rules on any key, id or name, and on any member that the query and the body both have.
BEYOND_BY_WORDS = re.compile(r"must not be a word for nothing, such as null; |differs from \w+ in the query$")

# Narrower than the document, so that what is generated is nearly always valid. The document leaves these open: the
# list of time zones belongs to the runtime, that of currencies to ISO 4217, and a cursor is the service's own matter
# where the document gives it no form.
NARROWER = {
    "time_zone": {"enum": ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]},
    "cursor": {"pattern": r"^-?[0-9]{1,15}\.[0-9]{1,15}$"},
    "currency": {"enum": ["USD", "EUR", "JPY", "KWD"]},
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
        has_form = name == "cursor" and ("pattern" in branch or "format" in branch)
        if name in NARROWER and branch.get("type") == "string" and not has_form:
            branch.update(NARROWER[name])


# What is required of them, but in the query or in the body, which the document cannot say.
REQUIRED_SOMEWHERE = {"confirmBinding": "confirmation_token", "assignTodo": "assignee_agent_id"}


@schemathesis.hook.apply_to(operation_id=list(REQUIRED_SOMEWHERE))
def filter_case(context, case):
    member = REQUIRED_SOMEWHERE[case.operation.definition.raw["operationId"]]
    body = {} if case.body is NOT_SET else case.body
    return member in (case.query or {}) or not isinstance(body, dict) or member in body


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes well-formed headers mean what they are for: a 409 or 412 for each would hide what else is right or wrong."""
    # A key that was used for another request is a conflict.
    if re.fullmatch("[!-~]{1,255}", case.headers.get("Idempotency-Key", "")):
        case.headers["Idempotency-Key"] = uuid.uuid4().hex
    # The state of now, where it can be read; no condition where it cannot.
    if 1 <= len(case.headers.get("If-Match", "")) <= 4096:
        del case.headers["If-Match"]
        address = BASE + address_of(case.path_parameters)
        state = requests.get(address, headers=KEY, timeout=60).headers.get("ETag")
        if state is not None:
            case.headers["If-Match"] = state


def address_of(named):
    """Where a memory, todo or decision is read."""
    part = {name: quote(str(value), safe="") for name, value in named.items()}
    for item in ("todo", "decision"):
        if f"{item}_id" in part:
            return f"/v1/projects/{part['project_id']}/{item}s/{part[f'{item}_id']}"
    return f"/v1/memories/{part.get('memory_id')}"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # Whatever the method, the runtime carries out what the body names; the document describes POST.
    if failure.code in ("ST204", "ST205") and case.operation.path == "/v1/skill/operations":
        return False
    if failure.code == "ST201":
        return not is_overruled(case)
    if failure.code != "ST202" or response.status_code != 422:
        return True
    return any(not is_beyond(issue) for issue in response.json()["detail"])


def is_overruled(case):
    """A parameter whose member the body has too: the body's word counts, whatever the query says."""
    return isinstance(case.body, dict) and any(name in case.body for name in case.query or {})


def is_beyond(issue):
    # What the input of a skill's operation may be, its catalogue says: one schema for each.
    if issue["loc"][:2] == ["body", "input"]:
        return True
    if issue["type"] in BEYOND_BY_TYPE or BEYOND_BY_WORDS.match(issue["msg"]):
        return True
    return (member_of(issue), issue["msg"]) in BEYOND_JSON_SCHEMA


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
