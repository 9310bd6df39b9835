/** What can have access. Apart from the page, whose route reads the address before the page is loaded. */
export const KINDS_OF_ENTRY = ["person", "agent", "app", "key"] as const;
export type EntryKind = (typeof KINDS_OF_ENTRY)[number];
