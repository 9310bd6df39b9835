import { serviceMembers } from "../../../contract/service-members.ts";
import { GUIDING_MEMBERS } from "../../memory/metadata.ts";

const MEANT_OTHERWISE: ReadonlySet<string> = new Set([...GUIDING_MEMBERS, ...serviceMembers.metadata]);

/**
 * Metadata from another system. Members that this service would act on mean something else there: a `due_at` reminds nobody
 * here. They are kept in `peer_metadata`.
 */
export function ownMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(metadata);
  const aside = entries.filter(([name]) => MEANT_OTHERWISE.has(name));
  const rest = entries.filter(([name]) => !MEANT_OTHERWISE.has(name));
  return Object.fromEntries(
    aside.length === 0 ? rest : [...rest, ["peer_metadata", Object.fromEntries(aside)]],
  );
}
