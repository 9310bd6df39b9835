import { spaceOperation } from "./operation.ts";
import { projectMember } from "./project.ts";
import * as context from "./project-context.ts";

export const projectContext = spaceOperation({
  name: "projectContext",
  summary: "Read what matters in a project now, as one pack within a budget",
  description:
    "Open todos and due reminders, decisions, recent activity, who is working on what, what is known, and warnings.",
  input: context.projectContextRequest.extend(projectMember).meta({ id: "ProjectContextRequest" }),
  output: context.projectContextPack,
  errors: ["not_found", "knowledge_scope_required", "payload_too_large", "unsupported_media_type"],
  effect: "read",
  scopes: ["memory:read"],
  rate: "read",
  http: { method: "POST", path: "/v1/projects/{project_id}/context", status: 200 },
  mcp: { tool: "project_context", title: "Read a project's context" },
});
