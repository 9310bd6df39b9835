import type { ProjectContextPack, ProjectContextRequest } from "../../../contract/project-context.ts";
import type { Caller } from "../../caller.ts";
import { rfc3339 } from "../../memory/present.ts";

/** What was asked for, and what of it this credential may be shown. */
export function scopeOf(
  caller: Caller,
  input: ProjectContextRequest & { readonly project_id: string },
  since: number,
): ProjectContextPack["project_scope"] {
  const { space, scopes, owner, attribution } = caller;
  const { projects, pathPrefix, buckets, teamId } = space;
  const knowledge = scopes.has("knowledge:read");
  const narrowed = {
    bucket: input.bucket !== "%",
    team: teamId !== null,
    projects: projects !== null,
    path_prefix: pathPrefix !== null,
    buckets: buckets !== null,
    knowledge: !knowledge,
    session: input.sessions === "own",
  };
  return {
    project_id: input.project_id,
    team_id: input.team_id ?? teamId ?? (owner.kind === "team" ? owner.id : null),
    bucket: input.bucket,
    recent_since: rfc3339(since),
    session_id: attribution.sessionId,
    sessions: input.sessions,
    include_other_sessions: input.sessions === "all",
    allowed: {
      project: projects?.includes(input.project_id) ?? true,
      team_id: teamId,
      projects: projects === null ? null : [...projects],
      path_prefix: pathPrefix,
      buckets: buckets === null ? null : [...buckets],
      knowledge,
    },
    narrowed_by: (Object.keys(narrowed) as (keyof typeof narrowed)[]).filter((name) => narrowed[name]),
  };
}
