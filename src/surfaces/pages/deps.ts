import type { Accounts } from "../../core/access/accounts.ts";
import type { OAuthServer } from "../../core/access/oauth.ts";
import type { TeamStore } from "../../core/access/team-store.ts";
import type { AgentClaims } from "../../core/agent/agent-claims.ts";
import type { Door } from "../http/door.ts";
import type { RequestLine } from "../http/request-line.ts";

/** What the pages stand on. */
export interface BrowserDependencies
  extends Pick<Door, "newId" | "isUnavailable" | "trustedProxies" | "publicUrl"> {
  readonly accounts: Pick<Accounts, "signedIn" | "signIn" | "signOut" | "invitation" | "accept">;
  readonly oauth: Pick<OAuthServer, "consentRequest" | "decide" | "grants" | "revoke">;
  readonly claims: Pick<AgentClaims, "find" | "approve" | "deny" | "list" | "revoke">;
  readonly teams: Pick<TeamStore, "teamsOf">;
  /** The secret that form tokens are made with, the same on every replica. */
  readonly formKey: () => Promise<Uint8Array>;
  readonly clock: () => number;
  /** Told of each request once its answer is made. */
  readonly log: (line: RequestLine) => void;
}
