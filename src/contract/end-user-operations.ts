import * as endUser from "./end-user.ts";
import { operation } from "./operation.ts";

const ofEndUsers = { scopes: ["users:act"] } as const;

export const listEndUsers = operation({
  ...ofEndUsers,
  name: "listEndUsers",
  summary: "List the application's end users, by their ids",
  input: endUser.endUsersRequest,
  session: { input: endUser.endUsersRequest.extend(endUser.ofApplication) },
  output: endUser.endUsers,
  errors: ["not_found", "role_forbidden"],
  effect: "read",
  rate: "read",
  http: { method: "GET", path: "/v1/users", status: 200 },
});

export const getEndUser = operation({
  ...ofEndUsers,
  name: "getEndUser",
  summary: "Read what the service has of one end user, in numbers",
  input: endUser.ofOneEndUser,
  session: { input: endUser.ofOneEndUser.extend(endUser.ofApplication) },
  output: endUser.endUser,
  errors: ["not_found", "role_forbidden"],
  effect: "read",
  rate: "read",
  http: { method: "GET", path: "/v1/users/{user_id}", status: 200 },
});

export const eraseEndUser = operation({
  ...ofEndUsers,
  name: "eraseEndUser",
  summary: "Permanently erase an end user, with everything of theirs",
  description:
    "Takes two steps. The dry run, which is the default, counts the rows in each table and returns a plan_hash and the id of the receipt. To erase, send dry_run=false with that hash. The hash stays valid even if the end user writes more. Its tokens end at once, and the service removes everything in the background, across restarts. Read the receipt by its id until its state is confirmed. Asking again returns the same erasure. Also needs memory:hard_delete; confined keys cannot erase.",
  input: endUser.endUserErasureRequest,
  session: { input: endUser.endUserErasureRequest.extend(endUser.ofApplication) },
  output: endUser.endUserErasure,
  errors: ["not_found", "role_forbidden", "conflict", "plan_changed"],
  effect: "destroy",
  unrepeatable: true,
  rate: "write",
  http: { method: "DELETE", path: "/v1/users/{user_id}", status: 200 },
});

export const issueEndUserToken = operation({
  ...ofEndUsers,
  name: "issueEndUserToken",
  summary: "Issue a token that is confined to one end user",
  description:
    "For the end user's own browser, phone or MCP client. It reaches that end user's space and nothing else, needs no user_id, and has at most the scopes and the reach of this key. It ends when the end user is erased, and when this key is revoked.",
  input: endUser.endUserTokenRequest,
  session: { input: endUser.endUserTokenRequest.safeExtend(endUser.ofApplication) },
  output: endUser.endUserToken,
  errors: [
    "not_found",
    "role_forbidden",
    "conflict",
    "quota_exceeded",
    "payload_too_large",
    "unsupported_media_type",
  ],
  effect: "write",
  unrepeatable: true,
  rate: "write",
  http: { method: "POST", path: "/v1/users/{user_id}/tokens", status: 201 },
});

export const exportEndUser = operation({
  ...ofEndUsers,
  name: "exportEndUser",
  summary: "Export everything of an end user, as JSON lines",
  description:
    "The lines are those of `recollect export`, with former versions, and `recollect import` reads them. A page is about 1 MiB at most; while there are more, `X-Recollect-Next-Cursor` says where to go on. Concatenate the pages. Needs memory:read, and knowledge:read for knowledge; confined keys cannot export.",
  input: endUser.endUserExportRequest,
  session: { input: endUser.endUserExportRequest.extend(endUser.ofApplication) },
  output: endUser.endUserExport,
  errors: ["not_found", "role_forbidden"],
  effect: "read",
  rate: "read",
  http: { method: "GET", path: "/v1/users/{user_id}/export", status: 200, lines: "lines" },
});
