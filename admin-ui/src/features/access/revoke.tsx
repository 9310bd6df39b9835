/** Ends the access of an agent or a credential, after a question. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Confirmed } from "../../parts/confirmed.tsx";
import { done } from "../../parts/toasts.tsx";
import { trpc } from "../../shell/trpc.ts";
import { type Credential, nameOf } from "./credential-name.ts";
import type { Agent } from "./entries.ts";

export function RevokeAgent({ agent, close }: { readonly agent: Agent; readonly close: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation(
    trpc.revokeAgent.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries();
        close();
        done("The agent was revoked. Its tokens no longer work.");
      },
    }),
  );
  return (
    <Confirmed
      title={`Revoke ${agent.client_name.slice(0, 60)}?`}
      verb="Revoke 1 agent"
      failed="Not revoked"
      isPending={revoke.isPending}
      error={revoke.error}
      confirm={() => revoke.mutate({ agent_id: agent.agent_id })}
      close={close}
    >
      <p>
        All its tokens and those of its skills stop working within a second. This cannot be undone: the agent
        would have to register and be let in again. What it wrote stays yours.
      </p>
    </Confirmed>
  );
}

const VERBS = { session: "Sign out everywhere", oauth: "Disconnect" } as Partial<
  Record<Credential["kind"], string>
>;
export const verbOf = ({ kind }: Credential) => VERBS[kind] ?? "Revoke";

const EFFECTS: Partial<Record<Credential["kind"], string>> = {
  session: "You are signed out in every browser, this one included. You can sign in again.",
  oauth: "The app's tokens stop working within a second. It would have to ask you again.",
};

export function RevokeCredential({ one, close }: { readonly one: Credential; readonly close: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation(
    trpc.revokeCredential.mutationOptions({
      async onSuccess() {
        if (one.kind === "session") return window.location.assign("/sign-in");
        await queries.invalidateQueries();
        close();
        done(`${nameOf(one).slice(0, 60)} is refused from now on.`);
      },
    }),
  );
  const verb = verbOf(one);
  return (
    <Confirmed
      title={`${verb}${one.kind === "session" ? "" : ` ${nameOf(one).slice(0, 60)}`}?`}
      verb={verb === "Revoke" ? "Revoke 1 credential" : verb === "Disconnect" ? "Disconnect 1 app" : verb}
      failed="Not revoked"
      isPending={revoke.isPending}
      error={revoke.error}
      confirm={() => revoke.mutate({ credential_id: one.id })}
      close={close}
    >
      <p>
        {EFFECTS[one.kind] ??
          "Whatever uses it is refused within a second. This cannot be undone, but you can create another. What was written with it stays."}
      </p>
    </Confirmed>
  );
}
