import type { AnySql, Fragment } from "../database/client.ts";

/** Every state of todos and decisions, for reading the rows of each by an index that has them in another order. */
export function itemStates(sql: AnySql): Fragment {
  return sql`(values ('todo', 'open'), ('todo', 'assigned'), ('todo', 'accepted'), ('todo', 'blocked'), ('todo', 'completed'),
    ('todo', 'cancelled'), ('decision', 'proposed'), ('decision', 'resolved'), ('decision', 'superseded')) as state (item, status)`;
}

/** Stands for the token of its own agent in a memory that was written elsewhere: tokens are not in a backup. */
export const AGENTS_OWN_TOKEN = "00000000-0000-0000-0000-000000000001";

/** How far the author of the row `m` is vouched for: whether the token that wrote it is its agent's. */
export function authorTrust(sql: AnySql): Fragment {
  return sql`case when m.agent_id is null then 'unattributed'
    when m.author_token = ${AGENTS_OWN_TOKEN} then 'token_bound'
    when exists (select from tokens k where k.id = m.author_token and k.agent_id = m.agent_id) then 'token_bound'
    else 'client_asserted' end`;
}
