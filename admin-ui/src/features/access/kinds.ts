/** People, agents, apps and keys: what has access. */
export const KINDS_OF_ENTRY = ["person", "agent", "app", "key"] as const;
export type EntryKind = (typeof KINDS_OF_ENTRY)[number];
