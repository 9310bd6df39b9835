import * as erasure from "./erasure.ts";
import { operation } from "./operation.ts";

export const eraseOwner = operation({
  name: "eraseOwner",
  summary: "Erase the user or a team, with everything they own, for good",
  description:
    "In two steps. A dry run, which is the default, counts by table and answers the name, a plan_hash and the id of the receipt. With dry_run false, that name as confirm and that hash, all access ends at once, this key's included where its user is erased, and everything is removed by the service from then on, through restarts too: read the receipt under its id until it is confirmed. Asked again, it answers the same erasure. A team is erased by a user who has the role owner in it; what a user wrote to teams stays theirs, without saying who wrote it. A key that is confined to a part may not, and neither may a team's own.",
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
  kinds: ["api_key"],
  unrepeatable: true,
  rate: "write",
  http: { method: "POST", path: "/v1/erasures", status: 200 },
});
