import { sessionFilters } from "./filter.ts";
import { spaceOperation } from "./operation.ts";
import * as recall from "./recall.ts";

const search = {
  input: recall.searchRequest,
  output: recall.searchAnswer,
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
} as const;

export const searchMemories = spaceOperation({
  ...search,
  name: "searchMemories",
  summary: "Search memories by meaning and words",
  session: { input: recall.searchRequest.extend(sessionFilters) },
  errors: ["knowledge_scope_required"],
  http: { method: "GET", path: "/v1/memories/search", status: 200, aliases: ["/v1/recall"] },
  mcp: { tool: "search_memories", title: "Search memories" },
});

export const searchMemoriesByBody = spaceOperation({
  ...search,
  name: "searchMemoriesByBody",
  summary: "Search memories, with the request in the body",
  description: "The same search, for queries too long for a URL.",
  errors: ["knowledge_scope_required", "payload_too_large", "unsupported_media_type"],
  http: { method: "POST", path: "/v1/memories/search", status: 200 },
});

export const recallContext = spaceOperation({
  name: "recallContext",
  summary: "Recall a pack of memories within a budget, ready to give to a model",
  input: recall.recallContextRequest,
  output: recall.contextAnswer,
  errors: ["knowledge_scope_required", "payload_too_large", "unsupported_media_type"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "POST", path: "/v1/recall/context", status: 200 },
  mcp: { tool: "recall_context", title: "Recall context" },
});

export const recallWhy = spaceOperation({
  name: "recallWhy",
  summary: "Explain why recall finds a memory, or why not",
  input: recall.whyRequest,
  output: recall.whyAnswer,
  errors: ["not_found", "knowledge_scope_required", "payload_too_large", "unsupported_media_type"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "POST", path: "/v1/recall/why", status: 200 },
});

export const recallFeedback = spaceOperation({
  name: "recallFeedback",
  summary: "Report whether a recalled memory helped",
  description: "Moves the memory's confidence a tenth of the way towards 1 or 0.",
  input: recall.feedbackRequest,
  output: recall.feedbackAnswer,
  errors: ["not_found", "role_forbidden", "conflict", "payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: ["memory:write", "memory:update"],
  rate: "write",
  http: { method: "POST", path: "/v1/recall/feedback", status: 200 },
});
