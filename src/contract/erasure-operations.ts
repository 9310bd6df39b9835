import * as erasure from "./erasure.ts";
import { operation } from "./operation.ts";

export const eraseOwner = operation({
  name: "eraseOwner",
  summary: "Permanently erase the user or a team, with everything they own",
  description:
    "Takes two steps. The dry run, which is the default, counts the rows in each table and returns the name, a plan_hash and the id of the receipt. To erase, send dry_run false with that name as confirm and that hash. All access then ends at once (this key's too, if its user is erased) and the service removes everything in the background, across restarts. Read the receipt by its id until its state is confirmed. Asking again returns the same erasure. Only a user with the role owner in a team may erase that team. What a user wrote to a team stays with the team, without the author's name. Confined keys and a team's own keys cannot erase.",
  input: erasure.erasureRequest,
  output: erasure.erasurePlan,
  errors: [
    "not_found",
    "role_forbidden",
    "conflict",
    "plan_changed",
    "payload_too_large",
    "unsupported_media_type",
  ],
  effect: "destroy",
  scopes: ["owner:erase"],
  kinds: ["api_key", "session"],
  unrepeatable: true,
  rate: "write",
  http: { method: "POST", path: "/v1/erasures", status: 200 },
});
