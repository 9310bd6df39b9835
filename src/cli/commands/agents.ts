import { projectId } from "../../contract/primitives.ts";
import { scopes } from "../../contract/scope.ts";
import { ownerName } from "../../contract/transfer.ts";
import type { Approval, Claim, ListedAgent } from "../../core/agent/agent-claims.ts";
import { command, group, json } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { withTools } from "../open.ts";
import { teamNamed } from "../team-named.ts";
import { print, printable, printJson, say, table } from "../terminal.ts";
import { checked, iso, listOf, optionalOwnerName, scopesOf } from "../values.ts";

const list = command(
  {
    meta: { name: "list", description: "List the agents that have registered, newest first" },
    args: json,
    async run({ args }) {
      const listed = await withTools(({ agentClaims }) => agentClaims.list(null));
      if (args.json) printJson(listed.map(toListed));
      else if (listed.length === 0) print("No agent has registered yet.");
      else print(tableOf(listed));
    },
  },
  {
    notes: `
status is pending, awaiting_confirmation, bound, denied, expired or revoked.

With --json it prints an array of {agent_id, status, client_name, approved_at, last_used_at, scopes, team_id,
projects}; times are RFC 3339 in UTC or null.

EXAMPLES

  recollect agents list`,
  },
);

function toListed(agent: ListedAgent) {
  return {
    agent_id: agent.agentId,
    status: agent.status,
    client_name: agent.clientName,
    approved_at: iso(agent.approvedAt),
    last_used_at: iso(agent.lastUsedAt),
    scopes: agent.scopes,
    team_id: agent.teamId,
    projects: agent.projects,
  };
}

function tableOf(listed: readonly ListedAgent[]): string {
  const minute = (at: number | null) => iso(at)?.slice(0, 16).concat("Z") ?? "-";
  return table(
    ["AGENT ID", "STATUS", "CLIENT", "SCOPES", "APPROVED", "LAST USED"],
    listed.map((agent) => [
      agent.agentId,
      agent.status,
      agent.clientName || "-",
      agent.scopes.join(",") || "-",
      minute(agent.approvedAt),
      minute(agent.lastUsedAt),
    ]),
  );
}

const approve = command(
  {
    meta: { name: "approve", description: "Approve an agent for its user, as the page of its link would" },
    args: {
      code: { type: "positional", required: true, description: "The claim code that the agent shows" },
      owner: {
        type: "string",
        required: true,
        valueHint: "NAME",
        description: "Whose agent it will be; made if new",
      },
      scopes: {
        type: "string",
        valueHint: "a,b",
        default: "memory:read,memory:write",
        description: "What it may do",
      },
      team: { type: "string", valueHint: "NAME", description: "Only this team of the user" },
      projects: { type: "string", valueHint: "a,b", description: "Only these projects" },
      ...json,
    },
    async run({ args }) {
      const owner = checked("--owner", ownerName, args.owner);
      const team = optionalOwnerName("--team", args.team);
      const granted = {
        scopes: scopesOf(args.scopes),
        projects: listOf("--projects", projectId, args.projects),
      };
      return withTools(async ({ agentClaims, credentials, teams }) => {
        const claim = await agentClaims.find(args.code);
        if (!claim)
          throw new CommandFailure(
            "There is no claim of that code: it may have lapsed, or be bound already.",
          );
        const teamId = team === null ? null : (await teamNamed(teams, team)).id;
        const approver = await credentials.ensureOwner("user", owner);
        const approval: Approval = { ...granted, teamId };
        const approved = await agentClaims.approve(approver, args.code, approval);
        if (args.json) printJson(toApproved(approved, owner, approval));
        else tellApproved(claim, approved, owner, approval);
      });
    },
  },
  {
    notes: `
The agent is bound when it presents the confirmation token, within ten minutes: give it to the agent you are talking
to, and to nothing that came by a link from somebody else. The agent calls
POST /v1/agents/bind/confirm-current-user with {"confirmation_token": "…"}. Approving again makes a new token.

The scopes are: ${Object.keys(scopes).join(", ")}.
With --json it prints {agent_id, status, confirmation_token, owner, scopes, team_id, projects, expires_at}.

EXAMPLES

  recollect agents approve 7K3M-Q0VX-9TZ2 --owner alice
  recollect agents approve 7K3M-Q0VX-9TZ2 --owner alice --scopes memory:read --projects apollo`,
  },
);

interface Approved {
  readonly agentId: string;
  readonly confirmationToken: string;
  readonly expiresAt: number;
}

function toApproved({ agentId, confirmationToken, expiresAt }: Approved, owner: string, approval: Approval) {
  return {
    agent_id: agentId,
    status: "awaiting_confirmation",
    confirmation_token: confirmationToken,
    owner,
    scopes: approval.scopes,
    team_id: approval.teamId,
    projects: approval.projects,
    expires_at: iso(expiresAt),
  };
}

function tellApproved(claim: Claim, approved: Approved, owner: string, { scopes }: Approval): void {
  const asks = [claim.clientName, claim.clientVersion, claim.runtime]
    .filter((part) => part !== null)
    .join(", ");
  print(
    [
      `agent_id            ${approved.agentId}`,
      `client              ${printable(asks)}`,
      `registered          ${iso(claim.requestedAt)} from ${printable(claim.address ?? "an unknown address")}`,
      `owner               ${printable(owner)}`,
      `scopes              ${scopes.join(", ")}`,
      `confirmation_token  ${approved.confirmationToken}`,
      `expires_at          ${iso(approved.expiresAt)}`,
    ].join("\n"),
  );
  say(
    "Give the confirmation token to the agent within ten minutes: it is not stored and cannot be shown again.",
  );
}

const revoke = command(
  {
    meta: { name: "revoke", description: "Revoke an agent with all its tokens, for good" },
    args: {
      id: { type: "positional", required: true, description: "Its id, as agents list shows it" },
      ...json,
    },
    async run({ args }) {
      const isRevoked = await withTools(({ agentClaims }) => agentClaims.revoke(null, args.id));
      if (!isRevoked)
        throw new CommandFailure("There is no agent of that id. recollect agents list shows them.");
      if (args.json) printJson({ agent_id: args.id, status: "revoked" });
      else print(`Revoked ${printable(args.id)}. Running servers obey within a second.`);
    },
  },
  {
    notes: `
Its memories stay with the user who bound it. What an agent that was never bound has written is deleted in 30 days.
Revoking what has ended already changes nothing. The exit status is 1 where there is no such agent.
With --json it prints {agent_id, status}.

EXAMPLES

  recollect agents revoke agent_0199c1d2-7b3e-7c4f-9a5b-6d7e8f901234`,
  },
);

export const agentsCommand = group(
  { name: "agents", description: "List the agents that registered themselves, approve and revoke them" },
  { list, approve, revoke },
  "It works on the database itself, beside a running server if there is one.",
);
