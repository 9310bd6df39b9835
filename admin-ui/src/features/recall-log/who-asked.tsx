import { Who } from "../../parts/who.tsx";
import { useSession } from "../../shell/space.ts";
import type { Recall } from "./recalls.ts";

/** An agent by its name, otherwise the key by its name; the person's own questions by theirs. */
export function WhoAsked({ recall }: { readonly recall: Recall }) {
  const { user } = useSession();
  const { agent_name, agent_id, credential } = recall;
  if (agent_name !== null) return <Who kind="agent" name={agent_name} />;
  if (agent_id !== null) return <Who kind="agent" name={agent_id} />;
  if (credential.kind === "session") return <Who name={user.name} />;
  if (credential.name !== null) return <Who kind="key" name={credential.name} />;
  return (
    <span className="soft">{credential.kind === null ? "A key that is gone" : "A key without a name"}</span>
  );
}
