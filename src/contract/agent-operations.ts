import { z } from "zod";
import * as agent from "./agent.ts";
import { operation } from "./operation.ts";

/** A POST without members takes any body, or none. */
const nothing = z.object({});

export const getAgentStatus = operation({
  name: "getAgentStatus",
  summary: "What has become of this agent",
  input: nothing,
  output: agent.agentStatusAnswer,
  errors: [],
  effect: "read",
  scopes: [],
  kinds: ["agent_temporary", "agent_formal"],
  rate: null,
  http: { method: "GET", path: "/v1/agents/status", status: 200 },
});

export const getBindStatus = operation({
  name: "getBindStatus",
  summary: "How far the binding to a user has come",
  input: nothing,
  output: agent.bindStatusAnswer,
  errors: [],
  effect: "read",
  scopes: [],
  kinds: ["agent_temporary", "agent_formal"],
  rate: null,
  http: { method: "GET", path: "/v1/agents/bind/status", status: 200 },
});

export const confirmBinding = operation({
  name: "confirmBinding",
  summary: "Bind this agent to the user who approved it",
  description:
    "Takes the one-time confirmation token that only the user has seen. The temporary token ends; what the agent wrote moves to the user. The same confirmation within its 10 minutes answers a new token and revokes the first, for an answer that was lost.",
  input: agent.confirmRequest,
  output: agent.confirmAnswer,
  errors: ["conflict", "quota_exceeded", "payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: [],
  kinds: ["agent_temporary"],
  unrepeatable: true,
  rate: null,
  http: {
    method: "POST",
    path: "/v1/agents/bind/confirm-current-user",
    status: 200,
    queryToo: ["confirmation_token"],
  },
});

export const denyBinding = operation({
  name: "denyBinding",
  summary: "Give up the binding, and this temporary agent with it",
  input: nothing,
  output: agent.denyAnswer,
  errors: ["conflict"],
  effect: "write",
  scopes: [],
  kinds: ["agent_temporary"],
  unrepeatable: true,
  rate: null,
  http: { method: "POST", path: "/v1/agents/bind/deny-current-user", status: 200 },
});

export const rotateAgentToken = operation({
  name: "rotateAgentToken",
  summary: "Replace this agent's formal token",
  description: "The token that asks stays valid for 60 seconds, so that nothing under way is cut off.",
  input: nothing,
  output: agent.rotateAnswer,
  errors: ["conflict"],
  effect: "write",
  scopes: [],
  kinds: ["agent_formal"],
  unrepeatable: true,
  rate: null,
  http: { method: "POST", path: "/v1/agents/rotate", status: 200 },
});

export const issueSkillToken = operation({
  name: "issueSkillToken",
  summary: "Issue a skill token, never wider than the token that asks",
  description:
    "It shares this agent's rate limits and ends with the agent, with its own expiry, or with that of the token that asks.",
  input: agent.skillTokenRequest,
  output: agent.skillTokenAnswer,
  errors: ["payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: [],
  kinds: ["agent_formal"],
  unrepeatable: true,
  rate: null,
  http: { method: "POST", path: "/v1/skill/tokens", status: 201 },
});
