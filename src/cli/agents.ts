import type { Command } from "@commander-js/extra-typings";
import { printable } from "../compose/printable.ts";
import { projectId } from "../contract/primitives.ts";
import { grantableScopes } from "../contract/scope.ts";
import {
  type Approval,
  beginningOf,
  type Claim,
  type Review,
  writtenGroups,
} from "../core/agent/agent-claims.ts";
import { toWire } from "../core/memory/member-table.ts";
import { CommandFailure } from "./failure.ts";
import { withTools } from "./open.ts";
import { inHelp, jsonOption, list, owner, scopesOption, value, WORKS_ON_DATABASE } from "./options.ts";
import { teamNamed } from "./teams.ts";
import { fields, iso, minute, print, printJson, printList, printResult, say } from "./terminal.ts";
import { newcomer, userMade } from "./users.ts";

export function addAgents(program: Command): void {
  const agents = program
    .command("agents")
    .description("List, approve and revoke agents that registered themselves")
    .addHelpText("after", WORKS_ON_DATABASE);
  addList(agents);
  addApprove(agents);
  addRevoke(agents);
}

function addList(agents: Command): void {
  agents
    .command("list")
    .description("List the registered agents, newest first")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The status is pending, awaiting_confirmation, bound, denied, expired or revoked.

With --json it prints an array of {agent_id, status, client_name, approved_at,
last_used_at, scopes, team_id, projects}; times are RFC 3339 in UTC, or null.

Examples:
  recollect agents list`,
    )
    .action(async ({ json }) => {
      const listed = await withTools(({ agentClaims }) => agentClaims.list(null));
      printList(json, listed, {
        json: toWire,
        empty: "No agent has registered yet.",
        columns: [
          ["AGENT ID", ({ agentId }) => agentId],
          ["STATUS", ({ status }) => status],
          ["CLIENT", ({ clientName }) => clientName || "-"],
          ["SCOPES", ({ scopes }) => scopes.join(",") || "-"],
          ["APPROVED", ({ approvedAt }) => minute(approvedAt)],
          ["LAST USED", ({ lastUsedAt }) => minute(lastUsedAt)],
        ],
      });
    });
}

function addApprove(agents: Command): void {
  agents
    .command("approve")
    .description("Approve an agent, as its user can on the page that its link leads to")
    .argument("<CODE>", "The claim code that the agent displays")
    .requiredOption(
      "--owner <NAME>",
      "The user the agent will belong to; created if new (required)",
      value(owner),
    )
    .addOption(scopesOption(grantableScopes))
    .option("--team <NAME>", "Give access only to this team of the user", value(owner))
    .option("--projects <a,b>", "Give access only to these projects", value(list(projectId)))
    .option("--discard", "Discard what the agent has already written")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The command shows what the agent has already written and which of it the
approval takes over: whatever the scopes, the team and the projects would have
let it write. The rest (with --discard, all of it) can no longer be read and is
deleted after 30 days. To choose differently, approve again before you hand
over the token.

The agent is bound once it presents the confirmation token, within ten minutes.
Give the token only to the agent you are talking to, never to one that reached
you by somebody else's link. The agent sends {"confirmation_token": "…"} to
POST /v1/agents/bind/confirm-current-user. Approving again makes a new token.

${inHelp("Scopes", grantableScopes)}

With --json it prints {agent_id, status, confirmation_token, owner, scopes,
team_id, projects, expires_at, user_is_new} and, if the agent has written
something, written: {taken_over, left}, each with the numbers of {memories,
todos, decisions}.

Examples:
  recollect agents approve 7K3M-Q0VX-9TZ2 --owner alice
  recollect agents approve 7K3M-Q0VX-9TZ2 --owner alice --scopes memory:read --projects apollo
  recollect agents approve 7K3M-Q0VX-9TZ2 --owner alice --discard`,
    )
    .action(async (code, { owner, team, scopes, projects, discard: discards = false, json }) =>
      withTools(async ({ agentClaims, credentials, teams }) => {
        const claim = await agentClaims.find(code);
        if (!claim)
          throw new CommandFailure(
            "No agent is waiting with that code: the code may have expired, or the agent may already be bound. Ask the agent for a new code.",
          );
        const teamId = team === undefined ? null : (await teamNamed(teams, team)).id;
        const { user: approver, isNew } = await userMade({ credentials, teams }, owner);
        const approval: Approval = { scopes, projects: projects ?? null, teamId, discards };
        const review = await agentClaims.review(approver, code, approval);
        const approved = await agentClaims.approve(approver, code, approval, review.digest);
        const shown = { ...approved, review };
        const { agentId, confirmationToken, expiresAt } = approved;
        const { written } = review;
        if (json)
          printJson({
            ...toWire({
              agentId,
              status: "awaiting_confirmation",
              confirmationToken,
              owner,
              scopes,
              expiresAt,
            }),
            team_id: teamId,
            projects: approval.projects,
            ...(written.length === 0 ? {} : { written: toWritten(written) }),
            user_is_new: isNew,
          });
        else printApproved(claim, shown, `${printable(owner)}${newcomer(isNew)}`, approval);
      }),
    );
}

interface Approved {
  readonly agentId: string;
  readonly confirmationToken: string;
  readonly expiresAt: number;
  readonly review: Review;
}

function toWritten(written: Review["written"]) {
  const numbers = (moves: boolean) => {
    const of = (kind: string) => written.filter((one) => one.moves === moves && one.kind === kind).length;
    return { memories: of("memory"), todos: of("todo"), decisions: of("decision") };
  };
  return { taken_over: numbers(true), left: numbers(false) };
}

/** The maximum number and length of printed texts: enough to recognise them. */
const QUOTED_MAX = 20;
const QUOTED_CHARACTERS_MAX = 200;

/** The agent's writes with their outcome, then their texts; adopted ones first. */
function writtenLines({ written }: Review): string[] {
  if (written.length === 0) return [];
  const groups = writtenGroups(written).map(({ words, projectId, moves }) => {
    const where = projectId === null ? "in no project" : `in ${printable(projectId)}`;
    return `written             ${words} ${where}: ${moves ? "taken over" : "not taken over"}`;
  });
  const ordered = [...written].sort((a, b) => Number(b.moves) - Number(a.moves));
  const more = written.length - QUOTED_MAX;
  const quotes = ordered
    .slice(0, QUOTED_MAX)
    .map(
      (one) => `  ${one.kind}: "${printable(beginningOf(one, QUOTED_CHARACTERS_MAX)).replaceAll('"', "'")}"`,
    );
  return [...groups, "In its own words:", ...quotes, ...(more > 0 ? [`  and ${more} more, not shown`] : [])];
}

function printApproved(claim: Claim, approved: Approved, owner: string, { scopes }: Approval): void {
  const asks = [claim.clientName, claim.clientVersion, claim.runtime]
    .filter((part) => part !== null)
    .join(", ");
  print(
    [
      fields({
        agent_id: approved.agentId,
        client: printable(asks),
        registered: `${iso(claim.requestedAt)} from ${printable(claim.address ?? "an unknown address")}`,
        owner,
        scopes: scopes.join(", "),
        confirmation_token: approved.confirmationToken,
        expires_at: iso(approved.expiresAt),
      }),
      ...writtenLines(approved.review),
    ].join("\n"),
  );
  say(
    "Give the confirmation token to the agent within ten minutes. It is not stored and cannot be shown again.",
  );
}

function addRevoke(agents: Command): void {
  agents
    .command("revoke")
    .description("Revoke an agent and all its tokens for good")
    .argument("<ID>", "The agent's id, from recollect agents list")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The agent's memories stay with the user who bound it. What an agent wrote that
was never bound is deleted after 30 days. Revoking an agent again changes
nothing. The exit status is 1 if there is no such agent.
With --json it prints {agent_id, status}.

Examples:
  recollect agents revoke agent_0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234`,
    )
    .action(async (id, { json }) => {
      const isRevoked = await withTools(({ agentClaims }) => agentClaims.revoke(null, id));
      if (!isRevoked)
        throw new CommandFailure(
          "There is no agent with that id. Run recollect agents list to see them all.",
        );
      const text = `Revoked ${printable(id)}: it takes effect on running servers within a second.`;
      printResult(json, { agent_id: id, status: "revoked" }, text);
    });
}
