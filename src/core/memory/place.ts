import { joined, own, shownId } from "../../contract/own-words.ts";
import { PROJECT_ID_RULE, projectId } from "../../contract/primitives.ts";
import type { Caller } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import { requireInSpace } from "./access.ts";

/** The owner of a memory: a user or a team. */
export interface Owned {
  readonly ownerId: string;
  readonly scope: "private" | "team";
}

/** The id of the team that owns the memory, for `team_id`; null if a user owns it. */
export function teamOf({ ownerId, scope }: Owned): string | null {
  return scope === "team" ? ownerId : null;
}

/** The future owner of a memory, and its project. */
export interface Place extends Owned {
  readonly projectId: string | null;
}

/** The members of a request that determine a memory's place. */
interface AskedPlace {
  readonly scope?: "private" | "team" | null | undefined;
  readonly team_id?: string | null | undefined;
  readonly project_id?: string | null | undefined;
  readonly provenance?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * The place of a new memory, from `placeOf`. `insufficient_scope` if it is outside the credential's reach. Does not
 * check the caller's role in a team; see `requireMember`.
 */
export function placeInSpace(
  caller: Caller,
  asked: AskedPlace & { readonly path: string; readonly bucket: string },
): Place {
  const place = placeOf(caller, asked);
  requireInSpace(caller, { path: asked.path, bucket: asked.bucket, projectId: place.projectId });
  return place;
}

/** The contract's maximum length of a path. */
const PATH_LENGTH_MAX = 512;

/** The path of a memory whose request names none: the default, below the credential's path prefix if it has one. */
export function placeWithin({ space: { pathPrefix } }: Caller, path: string): string {
  if (pathPrefix === null) return path;
  const below = `${pathPrefix}/${path}`;
  return below.length <= PATH_LENGTH_MAX ? below : pathPrefix;
}

/**
 * The bucket of a memory whose request names none: the credential's bucket if it has exactly one, otherwise the
 * default.
 */
export function bucketWithin({ space: { buckets } }: Caller, bucket: string): string {
  const [only, ...others] = buckets ?? [];
  return only === undefined || others.length > 0 ? bucket : only;
}

/** The place of a write of this caller. `validation_failed` if the request contradicts itself or its credential. */
export function placeOf(caller: Caller, asked: AskedPlace): Place {
  return {
    ...ownership(caller, asked.scope ?? null, asked.team_id ?? null),
    projectId: projectOf(caller, asked),
  };
}

/** The owner of a memory with that scope and team. `not_found` for a team outside the credential's reach. */
export function ownership(caller: Caller, scope: "private" | "team" | null, teamId: string | null): Owned {
  const team = caller.owner.kind === "team" ? caller.owner.id : caller.space.teamId;
  const isTeam = team !== null;
  if (isTeam && scope === "private") {
    throw invalid(["scope"], "A team's credential writes team memories; private needs a user's credential.");
  }
  if (scope === "private" && teamId !== null) {
    throw invalid(["team_id"], "A private memory belongs to no team; leave team_id out or use scope team.");
  }
  if (scope === "team" && teamId === null && !isTeam) {
    throw invalid(["team_id"], "scope team needs team_id: the team that will own the memory.");
  }
  // A credential confined to a team writes to no other owner, and a user's id is not a team.
  if (isTeam ? teamId !== null && teamId !== team : teamId === caller.owner.id) throw notFound("team");
  if (isTeam) return { ownerId: team, scope: "team" };
  return teamId === null
    ? { ownerId: caller.owner.id, scope: "private" }
    : { ownerId: teamId, scope: "team" };
}

type AskedProject = Pick<AskedPlace, "project_id" | "provenance">;

function projectOf(caller: Caller, asked: AskedProject): string | null {
  const named = namedProject(caller, asked);
  const allowed = caller.space.projects;
  if (named !== null || allowed === null) return named;
  if (allowed.length === 1) return allowed[0] as string;
  throw invalid(
    ["project_id"],
    own`This credential reaches several projects (${joined(allowed.map(shownId))}): name one in project_id or X-Project-Id.`,
  );
}

/** The project that a request names. It may name it in more than one place, but not two different projects. */
function namedProject(caller: Caller, { project_id, provenance }: AskedProject): string | null {
  const places = [
    { loc: ["project_id"], name: "project_id", project: project_id ?? null },
    {
      loc: ["provenance", "project_id"],
      name: "provenance.project_id",
      project: projectIn(provenance),
    },
    { loc: null, name: "X-Project-Id", project: caller.projectId },
  ].filter(({ project }) => project !== null);
  const [first, ...others] = places;
  const other = others.find(({ project }) => project !== first?.project);
  if (first?.loc && other) throw invalid(first.loc, `names a different project than ${other.name}`);
  return first?.project ?? null;
}

function projectIn(provenance: AskedProject["provenance"]): string | null {
  const named = provenance?.project_id ?? null;
  if (named === null) return null;
  const parsed = projectId.safeParse(named);
  if (parsed.success) return parsed.data;
  throw invalid(["provenance", "project_id"], PROJECT_ID_RULE);
}
