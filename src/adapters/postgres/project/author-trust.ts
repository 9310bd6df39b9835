import type { AnySql, Fragment } from "../database/client.ts";

/** The token id of restored rows, which no token of this database wrote. */
export const NO_TOKEN = "00000000-0000-0000-0000-000000000000";

/** In imported memories, the author token that stands for a token of the agent itself: exports contain no tokens. */
export const AGENTS_OWN_TOKEN = "00000000-0000-0000-0000-000000000001";

/**
 * SQL of the trust in the author of the row `m`: whether the token that wrote it belongs to its agent. What an agent
 * wrote before it was bound is only `client_asserted`, although the token was its own.
 */
export function authorTrust(sql: AnySql): Fragment {
  return sql`case when m.agent_id is null then 'unattributed'
    when m.provenance ? 'adopted_from' then 'client_asserted'
    when m.author_token = ${AGENTS_OWN_TOKEN} then 'token_bound'
    when exists (select from tokens k where k.id = m.author_token and k.agent_id = m.agent_id) then 'token_bound'
    else 'client_asserted' end`;
}

/** Columns of the author of the row `m`, with the trust in it. */
export function authorColumns(sql: AnySql): Fragment {
  return sql`m.agent_id as "author.agent_id", m.instance_hash as "author.instance_hash",
    m.author_id as "author.author_id", ${authorTrust(sql)} as "author.trust"`;
}
