import type { AnySql, Fragment } from "./client.ts";

/** Every state of todos and decisions, for reading the rows of each by an index that has them in another order. */
export function itemStates(sql: AnySql): Fragment {
  return sql`(values ('todo', 'open'), ('todo', 'assigned'), ('todo', 'accepted'), ('todo', 'blocked'), ('todo', 'completed'),
    ('todo', 'cancelled'), ('decision', 'proposed'), ('decision', 'resolved'), ('decision', 'superseded')) as state (item, status)`;
}

/** How far the author of the row `m` is vouched for: whether the token that wrote it is its agent's. */
export function authorTrust(sql: AnySql): Fragment {
  return sql`case when m.agent_id is null then 'unattributed'
    when exists (select from tokens k where k.id = m.author_token and k.agent_id = m.agent_id) then 'token_bound'
    else 'client_asserted' end`;
}
