import type { AnySql, Fragment } from "../database/client.ts";

/** The token of restored rows: no token of this database wrote them. */
export const NO_TOKEN = "00000000-0000-0000-0000-000000000000";

/** In imported memories, the author token that stands for a token of the agent itself: exports contain no tokens. */
export const AGENTS_OWN_TOKEN = "00000000-0000-0000-0000-000000000001";

/**
 * How far the author of the row `m` is vouched for: whether the token that wrote it is its agent's. For what an agent
 * wrote before anybody had bound it nobody vouches, though its token was its own.
 */
export function authorTrust(sql: AnySql): Fragment {
  return sql`case when m.agent_id is null then 'unattributed'
    when m.provenance ? 'adopted_from' then 'client_asserted'
    when m.author_token = ${AGENTS_OWN_TOKEN} then 'token_bound'
    when exists (select from tokens k where k.id = m.author_token and k.agent_id = m.agent_id) then 'token_bound'
    else 'client_asserted' end`;
}

/** The author of the row `m`, and how far that is vouched for. */
export function authorColumns(sql: AnySql): Fragment {
  return sql`m.agent_id as "author.agent_id", m.instance_hash as "author.instance_hash",
    m.author_id as "author.author_id", ${authorTrust(sql)} as "author.trust"`;
}
