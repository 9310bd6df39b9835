import { z } from "zod";
import * as agent from "./agent.ts";
import { operation } from "./operation.ts";

/** Input of a POST without members. The request body may be anything, or empty. */
const nothing = z.object({});

export const getAgentStatus = operation({
  name: "getAgentStatus",
  summary: "Read this agent's status",
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
  summary: "Read the progress of binding this agent to a user",
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
    "Takes the one-time confirmation token that only the user has seen. The temporary token stops working, and what the agent wrote moves to the user. If the answer was lost, send the same confirmation again within its 10 minutes: it returns a new token and revokes the first.",
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
  summary: "Refuse the binding and end this temporary agent",
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
  description:
    "The token used for this request stays valid for another 60 seconds, so that requests in flight still succeed.",
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
  summary: "Issue a skill token, with no more access than your own token",
  description:
    "It shares this agent's rate limits. It ends when the agent does, when it expires, or when the token that issued it expires.",
  input: agent.skillTokenRequest,
  output: agent.skillTokenAnswer,
  errors: ["quota_exceeded", "payload_too_large", "unsupported_media_type"],
  effect: "write",
  scopes: [],
  kinds: ["agent_formal"],
  unrepeatable: true,
  rate: null,
  http: { method: "POST", path: "/v1/skill/tokens", status: 201 },
});
