import { spaceOperation } from "./operation.ts";
import { profileAnswer, profileRequest } from "./profile.ts";

export const getProfile = spaceOperation({
  name: "getProfile",
  summary: "Read what is known of an owner or a project, without a question, within a budget",
  description:
    "Standing instructions and preferences, current facts, work in progress, open todos and due reminders, and what is new.",
  input: profileRequest,
  output: profileAnswer,
  errors: ["not_found", "knowledge_scope_required"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "GET", path: "/v1/profile", status: 200 },
  mcp: { tool: "get_profile", title: "Read the profile" },
});
