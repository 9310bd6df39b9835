import type { HttpClient } from "../support/http-client.ts";
import { idOf, type Model } from "./model.ts";
import { HITS_MAX } from "./model-read.ts";
import type { Stage } from "./stage.ts";
import type { Change, Filter, Read, Said, Target, Write } from "./step.ts";

type Send = (client: HttpClient) => ReturnType<HttpClient["get"]>;

const PAST = "2020-01-01T00:00:00Z";
/** A word of every content, so that a search finds all. */
const QUERY = "fact 2";

/** The request of a write. */
export function writeRequest(stage: Stage, model: Model, write: Write): Send {
  switch (write.kind) {
    case "create": {
      const body = createBody(stage, model, write.said);
      return (client) => client.post(write.dedupe ? "/v1/remember" : "/v1/memories", body);
    }
    case "batch": {
      const items = write.items.map(({ said, dedupe }) => ({
        ...createBody(stage, model, said),
        ...(dedupe ? { dedupe } : {}),
      }));
      return (client) => client.post("/v1/memories/batch", { items });
    }
    case "update": {
      const body = updateBody(stage, model, write.change);
      return (client) => client.patch(`/v1/memories/${idOf(model, write.target)}`, body);
    }
    case "forget": {
      const path = `/v1/memories/${idOf(model, write.target)}`;
      const { mode, reason } = write;
      if (write.door === "forget") return (client) => client.post(`${path}/forget`, { mode, reason });
      const query = new URLSearchParams({ mode, ...(reason === null ? {} : { reason }) });
      return (client) => client.delete(`${path}?${query}`);
    }
    case "restore":
      return (client) => client.post(`/v1/memories/${idOf(model, write.target)}/restore`);
    case "complete":
      return (client) => client.post(`/v1/reminders/${idOf(model, write.target)}/complete`);
    case "feedback":
      return (client) =>
        client.post("/v1/recall/feedback", { memory_id: idOf(model, write.target), helpful: true });
  }
}

/** The request of a read. */
export function readRequest(stage: Stage, model: Model, read: Read): Send {
  switch (read.kind) {
    case "list":
      return (client) => client.get(`/v1/memories?${query(stage, read.filter, { limit: "1000" })}`);
    case "search": {
      const more = { query: QUERY, limit: String(HITS_MAX), candidate_count: "1000", explain: "true" };
      return (client) => client.get(`/v1/memories/search?${query(stage, read.filter, more)}`);
    }
    case "context": {
      const limits = { query: QUERY, max_items: 100, max_tokens: 20_000 };
      return (client) =>
        client.post("/v1/recall/context", { ...limits, ...filterMembers(stage, read.filter) });
    }
    case "past": {
      const asOf = new Date(Date.now() - 20).toISOString();
      return (client) => client.get(`/v1/memories/search?query=fact&limit=100&as_of=${asOf}`);
    }
    case "profile":
      return (client) => client.get("/v1/profile?max_items=1000&max_tokens=50000");
    case "get":
      return (client) => client.get(`/v1/memories/${idOf(model, read.target)}`);
    case "versions":
      return (client) => client.get(`/v1/memories/${idOf(model, read.target)}/versions`);
    case "why":
      return (client) => client.post("/v1/recall/why", { query: QUERY, memory_id: idOf(model, read.target) });
    case "receipt": {
      const receipt = model.receipts[read.place % Math.max(1, model.receipts.length)];
      return (client) => client.get(`/v1/receipts/${receipt?.id ?? "00000000-0000-4000-8000-000000000000"}`);
    }
  }
}

/** The members of a filter as the contract names them. */
export function filterMembers(stage: Stage, filter: Filter): Record<string, string> {
  const members = {
    path: filter.path,
    bucket: filter.bucket,
    memory_type: filter.type,
    status: filter.status,
    scope: filter.scope,
    team_id: filter.team === undefined ? undefined : stage.ownerId(filter.team),
    project_id: filter.project,
  };
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined),
  );
}

function query(stage: Stage, filter: Filter, more: Record<string, string>): URLSearchParams {
  return new URLSearchParams({ ...filterMembers(stage, filter), ...more });
}

function createBody(stage: Stage, model: Model, said: Said): Record<string, unknown> {
  return {
    content: said.content,
    path: said.path,
    bucket: said.bucket,
    memory_type: said.type,
    metadata: { tag: said.tag },
    ...(said.key === null ? {} : { semantic_key: said.key }),
    ...(said.id === null ? {} : { memory_id: said.id }),
    ...(said.status === null ? {} : { status: said.status }),
    ...(said.isExpired ? { expires_at: PAST } : {}),
    ...(said.scope === null ? {} : { scope: said.scope }),
    ...(said.team === null ? {} : { team_id: stage.ownerId(said.team) }),
    ...(said.project === null ? {} : { provenance: { project_id: said.project } }),
    ...(said.supersededBy === null ? {} : { superseded_by: idOf(model, said.supersededBy) }),
  };
}

function updateBody(stage: Stage, model: Model, change: Change): Record<string, unknown> {
  const { tag, type, key, isExpired, team, supersededBy, ...same } = change;
  return {
    ...same,
    metadata: { tag },
    ...(type === undefined ? {} : { memory_type: type }),
    ...(key === undefined ? {} : { semantic_key: key }),
    ...(isExpired === undefined ? {} : { expires_at: isExpired ? PAST : null }),
    ...(team === undefined ? {} : { team_id: stage.ownerId(team) }),
    ...(supersededBy === undefined ? {} : { superseded_by: idOfTarget(model, supersededBy) }),
  };
}

function idOfTarget(model: Model, target: Target | null): string | null {
  return target === null ? null : idOf(model, target);
}
