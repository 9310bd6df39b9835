/** Somebody who may see all that is theirs, for tests that ask the record without a door before it. */
import { type Caller, UNATTRIBUTED } from "../../../src/core/caller.ts";

export const OWNER = "00000000-0000-7000-8000-000000000001";

export const caller: Caller = {
  tokenId: OWNER,
  limitKey: OWNER,
  tokenKind: "api_key",
  owner: { id: OWNER, kind: "user", name: "alice" },
  scopes: new Set(["memory:read", "knowledge:read"]),
  space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
  onlyFor: null,
  attribution: UNATTRIBUTED,
  projectId: null,
  requestId: "reads",
};
