import type { Finding } from "../../contract/doctor.ts";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { joined, own, quotedField } from "../../contract/own-words.ts";
import { SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import { skillOperationNames, skillOperations } from "../../contract/skill.ts";
import type { TokenKind } from "../access/credential.ts";
import { type Caller, mayCall } from "../caller.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";

type DoctorPorts = Pick<Ports, "agents" | "clock" | "health" | "report" | "settings">;

/**
 * Reports on the caller's credential, its scopes and reach, both clocks, the service and its index. Shows no stored
 * content. A check that cannot be made is reported as a finding, not an error.
 */
export const diagnose: UseCase<DoctorPorts, "doctor"> = async (ports, caller, { client_time }) => {
  const now = ports.clock();
  const [expiresAt, health] = await Promise.all([
    asked(ports, () => ports.agents.tokenExpiry(caller.tokenId)),
    asked(ports, ports.health),
  ]);
  const findings = [
    ofCredential(caller, expiresAt, now),
    ofScopes(caller),
    ofReach(caller),
    ofClock(client_time ?? null, now),
    ofService(ports.settings.publicUrl, health !== undefined),
    ofIndex(health),
  ];
  const wrong = findings.filter(({ status }) => status !== "ok");
  return {
    ok: !findings.some(({ status }) => status === "broken"),
    summary: wrong.length === 0 ? "Everything is in order." : wrong.map(({ found }) => found).join(" "),
    checked_at: new Date(now).toISOString(),
    findings,
  };
};

/** Returns undefined if the record does not answer. */
async function asked<T>({ report }: Pick<Ports, "report">, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    report(error);
    return undefined;
  }
}

function ok(check: Finding["check"], found: string, advice: string | null = null): Finding {
  return { check, status: "ok", found, advice };
}

function warning(check: Finding["check"], found: string, advice: string): Finding {
  return { check, status: "warning", found, advice };
}

function broken(check: Finding["check"], found: string, advice: string): Finding {
  return { check, status: "broken", found, advice };
}

const KINDS: Readonly<Record<TokenKind, string>> = {
  api_key: "an API key",
  oauth: "what a client was granted by OAuth",
  agent_temporary: "the temporary token of an agent that no user has bound yet",
  agent_formal: "the token of an agent that its user has bound",
  skill: "a skill token",
  session: "a signed-in session",
  end_user: "a token confined to one end user of an application",
};

const DAY_MS = 24 * 3_600_000;
/** Warns about an expiry within this time. */
const SOON_MS = 7 * DAY_MS;

/** How to continue after a credential ends. */
const NEXT: Readonly<Record<TokenKind, string>> = {
  api_key: "Ask its owner for another key.",
  oauth: "Connect again: the client renews it.",
  agent_temporary:
    "Have your user open the bind_url of GET /v1/agents/status, then POST /v1/agents/bind/confirm-current-user. What you wrote by then moves to the user.",
  agent_formal: "POST /v1/agents/rotate answers a new token.",
  skill: "Ask for another one: POST /v1/skill/tokens with the agent's token, or recollect skills issue.",
  session: "Sign in again.",
  end_user: "Ask the application for another one: POST /v1/users/{user_id}/tokens.",
};

function ofCredential(caller: Caller, expiresAt: number | null | undefined, now: number): Finding {
  const { owner } = caller;
  const kind = caller.tokenKind;
  const whose = owner.kind === "agent" ? "" : ` of a ${owner.kind}`;
  const end =
    expiresAt === undefined
      ? "When it ends could not be looked up"
      : expiresAt === null
        ? "It does not end by itself"
        : `It ends at ${new Date(expiresAt).toISOString()}`;
  const found = `The credential is valid: ${KINDS[kind]}${whose}. ${end}.`;
  const isSoon = typeof expiresAt === "number" && expiresAt - now < SOON_MS;
  return isSoon ? warning("credential", found, NEXT[kind]) : ok("credential", found);
}

function ofScopes(caller: Caller): Finding {
  const behind = (name: (typeof skillOperationNames)[number]) =>
    operations[skillOperations[name].calls] as unknown as Operation;
  const needing = skillOperationNames.filter((name) => behind(name).scopes.length > 0);
  const may = needing.filter((name) => mayCall(caller, behind(name)));
  const lacking = needing.filter((name) => !may.includes(name));
  const scopes = caller.scopes.size === 0 ? "no scope" : [...caller.scopes].join(", ");
  if (may.length === 0)
    return broken(
      "scopes",
      `It has ${scopes}, which no operation of the skill runtime takes.`,
      "Ask for a token with memory:read and memory:write.",
    );
  const found = `It has ${scopes} and may call ${may.join(", ")}.`;
  if (lacking.length === 0) return ok("scopes", found);
  const missing = [...new Set(lacking.flatMap((name) => behind(name).scopes[0] ?? []))].join(", ");
  return ok("scopes", `${found} Not ${lacking.join(", ")}: these need ${missing}.`);
}

const NAME_LENGTH_MAX = 128;

/** Describes the part of its owner's memories that the credential is confined to. The names are chosen by users. */
function ofReach({ space, owner, attribution }: Caller): Finding {
  const { teamId, projects, pathPrefix, buckets } = space;
  const listed = (names: readonly string[]) =>
    joined(names.map((name) => quotedField(name, NAME_LENGTH_MAX)));
  const parts = joined([
    teamId !== null && own`one team`,
    projects !== null && own`the projects ${listed(projects)}`,
    pathPrefix !== null && own`paths below ${listed([pathPrefix])}`,
    buckets !== null && own`the buckets ${listed(buckets)}`,
  ]);
  const whole =
    owner.kind === "agent"
      ? "It reaches the agent's own quarantine and nothing else."
      : `It is confined to no part of what its ${owner.kind} has.`;
  const reach = parts === "" ? whole : `It reaches only ${parts}.`;
  const isBound = attribution.identitySource === "token";
  const { agentId } = attribution;
  const agent =
    agentId === null
      ? "What is written names no agent: send X-Agent-Id, so that others can tell whose it is."
      : `What is written names the agent ${quotedField(agentId, NAME_LENGTH_MAX)}, ${isBound ? "as the token has it" : "as the request claims"}.`;
  return ok("reach", `${reach} ${agent}`);
}

/** A clock difference shifts expiry times and words like "yesterday". */
const APART_MS = 60_000;

function ofClock(clientTime: string | null, now: number): Finding {
  const here = `The service's clock says ${new Date(now).toISOString()}.`;
  if (clientTime === null) return ok("clock", here, "Send client_time to have your clock compared.");
  const apart = Date.parse(clientTime) - now;
  const seconds = Math.round(Math.abs(apart) / 1000);
  if (Math.abs(apart) <= APART_MS) return ok("clock", `${here} Yours agrees within ${seconds} s.`);
  return warning(
    "clock",
    `${here} Yours is ${seconds} s ${apart < 0 ? "behind" : "ahead"}.`,
    "Set your clock by a time server: times you send, such as expires_at, mean something else here.",
  );
}

function ofService(publicUrl: string, isThere: boolean): Finding {
  const name = `${SERVICE_NAME} ${SERVICE_VERSION} at ${publicUrl}`;
  if (isThere) return ok("service", `${name} answers, and so does its database.`);
  return broken(
    "service",
    `${name} answers, but its database does not: nothing can be written or recalled now.`,
    "Try again in a minute. GET /readyz says when it is back.",
  );
}

/** Shorter delays are normal during writes, and waiting memories are found nevertheless. */
const LATE_SECONDS = 60;

function ofIndex(health: Awaited<ReturnType<Ports["health"]>> | undefined): Finding {
  if (health === undefined)
    return broken("index", "How the index is could not be asked.", "Try again in a minute.");
  const away = Object.entries(health.outages).flatMap(([name, why]) =>
    why === null ? [] : [`${name}: ${why}`],
  );
  if (away.length > 0)
    return warning(
      "index",
      `Recall goes on without the search engine (${away.join("; ")}).`,
      "Nothing is lost. `coverage` and `degraded` of an answer say what did not take part.",
    );
  const { oldestSeconds, isEmbeddingLate } = health;
  if (oldestSeconds !== null && oldestSeconds >= LATE_SECONDS)
    return warning(
      "index",
      `The index is ${Math.round(oldestSeconds)} s behind the record.`,
      "What was written since is found all the same; it takes recall longer.",
    );
  if (isEmbeddingLate)
    return warning(
      "index",
      "Some memories wait for their vector and are found by their words meanwhile.",
      "It catches up by itself.",
    );
  return ok("index", "Recall answers from an index that has everything.");
}
