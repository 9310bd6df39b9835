/** A team some weeks after it began: what the pictures show. Nothing in it is anybody's. */
import type { Person, Served as Whole } from "../../../bench/small/served.ts";

/** The server that the world is made in. */
export type Served = Pick<Whole, "url" | "sql" | "person">;

const DAY = 86_400_000;
const MINUTE = 60_000;

export interface PictureWorld {
  readonly ada: Person;
  /** Came in a minute ago, and has nothing yet. */
  readonly newcomer: Person;
  readonly teamId: string;
  readonly asked: { readonly memory: string; readonly key: string; readonly code: string };
  /** Has the team's key ask a few hundred times, as one does that reports on everything at night. */
  readonly report: () => Promise<void>;
}

type Note = readonly [content: string, path: string, type: string, more?: object];

const NOTES: readonly Note[] = [
  [
    "Deploys of the gateway go out on Tuesdays and Thursdays, never on Fridays",
    "runbooks/deploys",
    "procedural",
  ],
  ["The staging gateway moved from gw-1 to gw-2 in Frankfurt", "projects/apollo/hosts", "semantic"],
  ["Ada owns the certificates; Grace stands in for her in July", "team/people", "semantic"],
  [
    "Reconnects take 430 ms at p95 since the retry was made exponential",
    "projects/apollo/measurements",
    "episodic",
  ],
  ["The customer at Nordwind wants invoices in Norwegian kroner", "customers/nordwind", "semantic"],
  ["Roll back with `deploy --to previous`; it keeps the database as it is", "runbooks/deploys", "procedural"],
  ["Grace prefers small pull requests, with the reason first", "team/people", "semantic"],
  [
    "The canary runs in Frankfurt for an hour before the other regions follow",
    "runbooks/deploys",
    "procedural",
  ],
  [
    "Incident of 3 November: the queue was full because one consumer had no timeout",
    "incidents/queue",
    "episodic",
  ],
  [
    "Every consumer of the queue has a timeout of 30 seconds since the incident",
    "incidents/queue",
    "semantic",
  ],
  ["Nordwind's contact is Solveig; she answers in the mornings", "customers/nordwind", "semantic"],
  ["The invoice template is rendered from the order, never from the basket", "projects/billing", "semantic"],
  [
    "Billing rounds each line, then adds: the sum of what is printed is what is charged",
    "projects/billing",
    "semantic",
  ],
  [
    "Load test of the gateway: 2,400 requests a second before latency rises",
    "projects/apollo/measurements",
    "episodic",
  ],
  ["Postgres is upgraded in the second week of each quarter", "runbooks/database", "procedural"],
  ["Restore drill took 11 minutes for 40 GB", "runbooks/database", "episodic"],
  ["The office in Lisbon is closed on 10 June", "team/office", "semantic"],
  ["Support answers within four hours, on weekdays", "customers/promises", "semantic"],
  ["Feature flags are removed within a month after they are on for everybody", "team/habits", "procedural"],
  ["The mobile app caches prices for ten minutes", "projects/billing", "semantic"],
  ["Solveig asked for a dark theme; it is planned for the spring", "customers/nordwind", "episodic"],
  ["Logs are kept for 30 days, audit lines for a year", "team/habits", "semantic"],
  [
    "The search page was slow because every row asked for its author; fixed by one join",
    "incidents/search",
    "episodic",
  ],
  ["Translations come from the team in Tallinn 🇪🇪, within two days", "team/people", "semantic"],
];

export async function furnish(served: Served): Promise<PictureWorld> {
  const ada = await served.person("ada");
  const others = [];
  for (const name of ["grace", "linus", "solveig"]) others.push(await served.person(name));
  const { team_id: teamId } = await ada.ask("createTeam", { name: "Gateway crew" });
  for (const [at, role] of (["admin", "member", "viewer"] as const).entries()) {
    await ada.ask("addMember", { team_id: teamId, user_name: others[at]?.name, role });
    await others[at]?.ask("acceptInvitation", { team_id: teamId });
  }
  const ids = await remember(ada, teamId);
  await project(ada, teamId);
  await lists(ada, teamId);
  await agedOver(served, 40);
  await tidied(ada, teamId);
  const code = await agents(served, ada, teamId);
  const { key, secret } = await keys(ada, teamId);
  await endUsers(served, ada, teamId);
  await figures(served, [ada.id, teamId, null]);
  // The newest, among them one that was corrected twice.
  const memory = ids[1] as string;
  for (const content of [
    "The staging gateway moved from gw-1 to gw-2, in Frankfurt",
    "The staging gateway moved from gw-1 to gw-3, in Frankfurt",
  ])
    await ada.ask("updateMemory", { memory_id: memory, content });
  await recalls(served, teamId);
  const newcomer = await served.person("tove");
  const report = async () => {
    for (let asked = 0; asked < 320; asked += 1)
      await fetch(`${served.url}/v1/memories?limit=1`, { headers: { "x-api-key": secret } });
  };
  return { ada, newcomer, teamId, asked: { memory, key, code }, report };
}

async function remember(ada: Person, team_id: string): Promise<string[]> {
  const ids: string[] = [];
  for (const [content, path, memory_type, more] of NOTES) {
    const given = { content, path, memory_type, team_id, dedupe: false, ...more };
    const project_id = /^projects\/(\w+)/.exec(path)?.[1];
    const { id } = await ada.ask("remember", { ...given, ...(project_id && { project_id }) });
    ids.push(id);
  }
  for (const [content, path] of [
    ["My one-to-one with Grace is on Mondays at ten", "me"],
    ["I take the train to Lisbon on the 9th of June", "me/travel"],
  ])
    await ada.ask("remember", { content, path });
  return ids;
}

async function project(ada: Person, team_id: string): Promise<void> {
  const of = { project_id: "apollo", team_id };
  const todo = (content: string, more: object = {}) => ada.ask("createTodo", { ...of, content, ...more });
  const at = { project_id: "apollo" };
  const key = await todo("Ask operations for the key of the staging gateway", { priority: "high" });
  const certificate = await todo("Renew the certificate of the staging gateway", {
    priority: "urgent",
    due_at: new Date(Date.now() - DAY).toISOString(),
    depends_on: [key.todo_id],
  });
  await todo("Announce the new address to everybody who calls the gateway", {
    depends_on: [certificate.todo_id],
    assignee_agent_id: "claude-code",
  });
  await todo("Try the fallback with one region away", { priority: "low" });
  await todo("Write down how a certificate is renewed");
  await ada.ask("acceptTodo", { ...at, todo_id: key.todo_id });
  await ada.ask("blockTodo", { ...at, todo_id: certificate.todo_id, reason: "The key is with operations" });
  const done = await todo("Measure how long a reconnect takes");
  await ada.ask("completeTodo", { ...at, todo_id: done.todo_id, note: "430 ms at p95" });
  const decide = (context: string, more: object) => ada.ask("createDecision", { ...of, context, ...more });
  const first = await decide("Which database does the gateway keep its sessions in?", {
    impact_level: "high",
    options: ["Postgres", "SQLite", "Redis"],
  });
  await ada.ask("supersedeDecision", {
    ...at,
    decision_id: first.decision_id,
    context: "Where do sessions live, now that there are two regions?",
    resolution_note: "Postgres, one primary: sessions survive a region",
  });
  await decide("Do we keep the old gateway as a fallback?", {
    impact_level: "medium",
    options: ["Until January", "No"],
  });
  for (const content of [
    "The canary of the gateway runs in Frankfurt",
    "The canary of the gateway runs in Frankfurt",
    "The old gateway is switched off in January",
  ])
    await ada.ask("remember", { ...of, content, path: "projects/apollo", dedupe: false });
  const old = { project_id: "billing", team_id, path: "projects/billing", dedupe: false };
  await ada.ask("remember", { ...old, content: "Invoices were sent by post until 2019" });
}

async function lists(ada: Person, team_id: string): Promise<void> {
  const due = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  for (const [content, days] of [
    ["Renew the wildcard certificate", -1],
    ["Send Solveig the offer", 1],
    ["Upgrade Postgres", 12],
  ] as const)
    await ada.ask("remember", {
      content,
      path: "reminders",
      team_id,
      memory_type: "reminder",
      metadata: { due_at: due(days) },
    });
  for (const [item, amount, days, category] of [
    ["Load test machines", "184.20", 3, "hosting"],
    ["Train to Lisbon", "62.50", 9, "travel"],
    ["Certificate, one year", "49.00", 20, "hosting"],
    ["Coffee for the retrospective", "18.40", 21, "office"],
  ] as const)
    await ada.ask("addExpense", {
      item,
      amount,
      currency: "EUR",
      category,
      team_id,
      date: new Date(Date.now() - days * DAY).toISOString().slice(0, 10),
    });
  for (const [content, path] of [
    [
      "A gateway that is drained answers 503 with Retry-After, and takes no new connection",
      "knowledge/gateway",
    ],
    [
      "Certificates of the staging zone are issued by the internal authority and last 90 days",
      "knowledge/tls",
    ],
    ["An order is charged when it is shipped, not when it is placed", "knowledge/billing"],
  ])
    await ada.ask("remember", { content, path, team_id, memory_type: "knowledge", bucket: "knowledge" });
}

/** Spreads the memories, written within a minute, over some weeks; two become old enough for maintenance. */
async function agedOver({ sql }: Served, days: number): Promise<void> {
  await sql`
    with aged as (select id, row_number() over (order by created_at desc) as at, count(*) over () as total from memories)
    update memories m set
      created_at = now() - make_interval(secs => aged.at * ${days * 86_400}::float8 / aged.total),
      updated_at = now() - make_interval(secs => aged.at * ${days * 86_400}::float8 / aged.total)
    from aged where aged.id = m.id and workspace_item is null`;
  await sql`
    update memories set created_at = now() - interval '400 days', updated_at = now() - interval '400 days'
    where content like 'Invoices were sent by post%' or content like 'The old gateway is switched off%'`;
}

/** One project was maintained, so that there is a run to take back; in the other one there is still something due. */
async function tidied(ada: Person, team_id: string): Promise<void> {
  const billing = { project_id: "billing", team_id };
  const { plan_hash } = await ada.ask("reportMaintenance", billing);
  await ada.ask("executeMaintenance", { ...billing, plan_hash, actions: ["archive_stale"] });
}

async function agents({ url }: Served, ada: Person, team_id: string): Promise<string> {
  const register = async (client_name: string, client_version: string) => {
    const response = await fetch(`${url}/v1/agents/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        entry_type: "mcp",
        client_name,
        client_version,
        runtime: "node 22",
        installation_fingerprint: client_name,
      }),
    });
    return (await response.json()) as { claim_code: string; temporary_token: string };
  };
  const say = (token: string, path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": token },
      body: JSON.stringify(body),
    });
  for (const [name, projects] of [
    ["claude-code", null],
    ["Release notes writer", ["apollo"]],
  ] as const) {
    const { claim_code, temporary_token } = await register(name, "2.1.0");
    await say(temporary_token, "/v1/remember", {
      content: `${name} was set up on Ada's laptop`,
      path: "notes",
    });
    const approval = {
      code: claim_code,
      scopes: ["memory:read", "memory:write"],
      team_id,
      ...(projects && { projects }),
    };
    const { seen } = await ada.ask("reviewAgent", approval);
    const { confirmation_token } = await ada.ask("approveAgent", { ...approval, seen });
    await say(temporary_token, "/v1/agents/bind/confirm-current-user", { confirmation_token });
  }
  const last = await register("Support assistant", "0.9.2");
  for (const content of [
    "Solveig of Nordwind asked when invoices in kroner will come",
    "Answers to Nordwind go out in the morning",
  ])
    await say(last.temporary_token, "/v1/remember", { content, path: "customers/nordwind" });
  return last.claim_code;
}

async function keys(ada: Person, team_id: string): Promise<{ key: string; secret: string }> {
  const make = (name: string, more: object = {}) =>
    ada.ask("createCredential", {
      kind: "api_key",
      name,
      scopes: ["memory:read", "memory:write"],
      expires_in_days: 90,
      ...more,
    });
  await make("laptop");
  const support = await make("support desk", {
    scopes: ["memory:read"],
    team_id,
    path_prefix: "customers",
    expires_in_days: 30,
  });
  const nightly = await make("nightly report", { team_id, is_teams: true, expires_in_days: 365 });
  await make("write down expenses", { kind: "skill", scopes: ["ledger:write"], expires_in_days: 7 });
  return { key: support.id, secret: nightly.token };
}

/** An application of the team that remembers its customers. */
async function endUsers({ url, sql }: Served, ada: Person, team_id: string): Promise<void> {
  const { token } = await ada.ask("createCredential", {
    kind: "api_key",
    name: "support assistant",
    scopes: ["memory:read", "memory:write", "users:act"],
    team_id,
    is_teams: true,
    expires_in_days: 90,
  });
  const known = [
    "Wants invoices as PDF, one for each order",
    "Uses the dark theme, and the app on two phones",
    "Had the gateway's outage of November; was refunded",
    "Is answered in Norwegian",
    "Prefers e-mail to calls, in the mornings",
  ];
  for (const [at, id] of [0, 31, 93, 276, 348, 417, 561, 702, 770, 812, 889, 901].entries())
    for (const content of known.slice(0, 1 + (at % known.length)))
      await fetch(`${url}/v1/remember`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": token },
        body: JSON.stringify({ content, path: "customer", user_id: `cust_${8000 + id}` }),
      });
  await sql`
    update owners set created_at = now() - interval '40 days' * (1 + mod(hashtext(name), 7)::float8 / 8),
      active_at = now() - interval '90 minutes' * (1 + mod(hashtext(name), 11)::float8 / 12)
    where kind = 'end_user'`;
}

const QUESTIONS = [
  "where is the staging gateway, and who has its key?",
  "how long does a client wait before it reconnects?",
  "certificate renewal steps gateway",
  "last deploy of the mobile app, and did it roll back",
  "who stands in for Ada in July",
  "which rounding does billing use",
  "timeout of the consumers of the queue",
  "customer asks for a refund of the August invoice",
  "deploy days of the gateway",
  "when does Solveig answer",
];

/** A day of questions to the team's memories: busy noons, quiet nights. */
async function recalls({ sql }: Served, owner: string): Promise<void> {
  await sql`
    with asking as (
      select array(select id from agents where granted_team_id = ${owner} order by requested_at) as agents,
        (select id from tokens where owner_id = ${owner} and name = 'nightly report') as token,
        array(select id from memories where owner_id = ${owner} and workspace_item is null order by created_at desc limit 40) as memories
    ), asked as (
      select n, mod(n * 7919, 100) as luck, now() - make_interval(secs => 25 + n * 46 + 4000 * sin(n / 140.0)) as at
      from generate_series(0, 1800) as n
    )
    insert into recalls (
      id, owner_id, at, operation, question, outcome, memories, tokens, tokens_max, ms, token_id, agent_id, project_id
    )
    select gen_random_uuid(), ${owner}, at, case when mod(n, 9) = 4 then 'search' else 'context' end,
      (${QUESTIONS}::text[])[1 + mod(n, ${QUESTIONS.length})],
      case when luck < 9 then 'none' when mod(n, 9) = 4 then 'found' when luck < 25 then 'partial' else 'answered' end,
      case when luck < 9 then '{}' else memories[1 + mod(n, 12) : 1 + mod(n, 12) + mod(luck, 7)] end,
      case when mod(n, 9) = 4 then null when luck < 9 then 0 else 90 + luck * 14 end,
      case when mod(n, 9) = 4 then null else 1500 end, 6 + mod(luck * luck, 37), token,
      case when mod(n, 5) = 3 then null else agents[1 + mod(n, 2)] end, case when mod(n, 3) = 0 then 'apollo' end
    from asked, asking`;
}

/** A day in quarters of an hour and a quarter in hours: quiet nights, busy noons. */
async function figures({ sql }: Served, owners: readonly (string | null)[]): Promise<void> {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const put = async (resolution: "minute" | "hour", at: number, share: number) => {
    const hour = new Date(at).getUTCHours() + new Date(at).getUTCMinutes() / 60;
    const noise = 0.85 + 0.3 * Math.abs(Math.sin(at / 3_111_111));
    const busy = (0.15 + Math.max(0, Math.sin(((hour - 6) / 14) * Math.PI))) * noise;
    const times = resolution === "hour" ? 60 : 1;
    const recalls = Math.round(34 * busy * times);
    const latency = [
      ...Array(16).fill(0),
      ...[0.12, 0.46, 0.26, 0.11, 0.05].map((s) => Math.round(recalls * s)),
    ];
    for (const owner of owners)
      await sql`
        insert into figures (owner_id, resolution, at, memories, recalls, writes, failures, latency, coverage_sum, covered, index_lag_seconds)
        values (${owner}, ${resolution}, ${sql.typed.instant(at)}, ${Math.round(9_400 + 3_100 * share)},
          ${recalls}, ${Math.round(7 * busy * times)}, 0, ${latency}, ${recalls}, ${recalls}, ${0.4 + busy / 2})
        on conflict do nothing`;
  };
  for (let minutes = 1435; minutes > 0; minutes -= 5)
    await put("minute", now - minutes * MINUTE, 1 - minutes / 14_000);
  const HOUR = 60 * MINUTE;
  const thisHour = Math.floor(now / HOUR) * HOUR;
  for (let hours = 24 * 30; hours > 0; hours -= 1)
    await put("hour", thisHour - hours * HOUR, 1 - hours / 800);
}
