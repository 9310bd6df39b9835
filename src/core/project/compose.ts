import type { Caller } from "../caller.ts";
import { isBelow } from "../memory/access.ts";
import { compose } from "../memory/compose.ts";
import type { NewMemory, WorkspaceItem } from "../memory/memory-record.ts";
import type { Ports } from "../ports.ts";
import type { Recalled } from "./recalled.ts";

/** Where a new todo or decision is to go, as its request says it. */
export interface Placing {
  readonly project_id: string;
  readonly path?: string | undefined;
  readonly bucket: string;
  readonly scope?: "private" | "team" | null | undefined;
  readonly team_id?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
}

/** A placed and attributed memory that still needs its words. */
export interface Placed {
  readonly extra: Readonly<Record<string, unknown>>;
  readonly notices: readonly string[];
  /** The memory, once it is known what it says. It equals no other, and no request makes it again. */
  readonly saying: (recalled: Recalled) => NewMemory;
}

/**
 * Places a todo or decision as `compose` places any memory: same ownership, token space and attribution.
 * `validation_failed`, `insufficient_scope` and `not_found` as there.
 */
export function placeItem(
  ports: Pick<Ports, "clock" | "newId" | "hash">,
  caller: Caller,
  item: WorkspaceItem,
  asked: Placing,
): Placed {
  const { memory, notices } = compose(ports, caller, {
    content: "",
    path: asked.path ?? defaultPath(caller, asked.project_id, item),
    bucket: asked.bucket,
    scope: asked.scope,
    team_id: asked.team_id,
    metadata: asked.metadata,
    provenance: { project_id: asked.project_id },
    memory_type: item,
    importance: 0.5,
    confidence: 1,
  });
  const { metadata: extra, ...placed } = memory;
  return {
    extra,
    notices,
    saying: (recalled) => ({
      ...placed,
      ...recalled,
      workspaceItem: item,
      createHash: null,
      dedupeHash: null,
    }),
  };
}

/** A place of the project's own, inside of what the credential reaches. */
function defaultPath({ space }: Caller, project: string, item: WorkspaceItem): string {
  const path = `projects/${project}/${item}s`;
  const { pathPrefix } = space;
  return pathPrefix === null || isBelow(path, pathPrefix) ? path : `${pathPrefix}/${path}`;
}
