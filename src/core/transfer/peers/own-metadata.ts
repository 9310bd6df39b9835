import { serviceMembers } from "../../../contract/service-members.ts";
import { GUIDING_MEMBERS } from "../../memory/metadata.ts";

const MEANT_OTHERWISE: ReadonlySet<string> = new Set([...GUIDING_MEMBERS, ...serviceMembers.metadata]);

/**
 * Metadata that somebody gave to another system. What this service would act on, it means otherwise: a `due_at` there reminds
 * nobody here. So such members are kept in `peer_metadata`.
 */
export function ownMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(metadata);
  const aside = entries.filter(([name]) => MEANT_OTHERWISE.has(name));
  const rest = entries.filter(([name]) => !MEANT_OTHERWISE.has(name));
  return Object.fromEntries(
    aside.length === 0 ? rest : [...rest, ["peer_metadata", Object.fromEntries(aside)]],
  );
}
