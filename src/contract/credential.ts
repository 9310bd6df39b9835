import { z } from "zod";

/**
 * The kinds of credential. Agents, OAuth and skills issue their own, and a sign-in account has one for its sessions; all
 * become the same `Caller`.
 */
export const tokenKind = z.enum([
  "api_key",
  "oauth",
  "agent_temporary",
  "agent_formal",
  "skill",
  "session",
  "end_user",
]);
export type TokenKind = z.infer<typeof tokenKind>;
