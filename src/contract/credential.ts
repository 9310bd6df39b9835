import { z } from "zod";

/** The kinds of credential. Agents, OAuth and skills issue their own; all become the same `Caller`. */
export const tokenKind = z.enum(["api_key", "oauth", "agent_temporary", "agent_formal", "skill"]);
export type TokenKind = z.infer<typeof tokenKind>;
