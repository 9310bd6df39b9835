import type { AnySql, Fragment } from "../database/client.ts";

/** In imported memories, the author token that stands for a token of the agent itself: exports contain no tokens. */
export const AGENTS_OWN_TOKEN = "00000000-0000-0000-0000-000000000001";

/** How far the author of the row `m` is vouched for: whether the token that wrote it is its agent's. */
export function authorTrust(sql: AnySql): Fragment {
  return sql`case when m.agent_id is null then 'unattributed'
    when m.author_token = ${AGENTS_OWN_TOKEN} then 'token_bound'
    when exists (select from tokens k where k.id = m.author_token and k.agent_id = m.agent_id) then 'token_bound'
    else 'client_asserted' end`;
}
