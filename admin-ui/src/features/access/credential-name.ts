/** The name of a credential in the admin UI: its own, or its kind and the hint of its token. */
import type { Outputs } from "../../shell/trpc.ts";

export type Credential = Outputs["listCredentials"]["credentials"][number];

export const KINDS = {
  api_key: "Key",
  oauth: "App",
  agent_formal: "Agent's token",
  agent_temporary: "Agent's first token",
  skill: "Skill's token",
  session: "Your sign-in",
  end_user: "End user's token",
} as const satisfies Record<Credential["kind"], string>;

export const nameOf = ({ name, kind, hint }: Credential) => name ?? `${KINDS[kind]} ${hint}`;
