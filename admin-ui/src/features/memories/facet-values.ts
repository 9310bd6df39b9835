/** Facets as the address has them: several values of each, with commas between. */
import type { MemoriesSearch } from "./address.ts";

export const FACETS = ["project", "type", "agent", "bucket", "authority", "changed", "expires"] as const;
export type Facet = (typeof FACETS)[number];

/** Stands for no value, which no encoded value can be mistaken for. */
const NONE = "%";

function decoded(part: string): string {
  if (part === NONE) return "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function valuesOf(search: MemoriesSearch, facet: Facet): readonly string[] {
  return search[facet] === undefined ? [] : search[facet].split(",").map(decoded);
}

/** The parameter with these values; undefined for none. */
export function asParameter(values: readonly string[]): string | undefined {
  return values.length === 0
    ? undefined
    : values.map((value) => (value === "" ? NONE : encodeURIComponent(value))).join(",");
}

interface Words {
  readonly title: string;
  /** Word for memories without a value. */
  readonly none?: string;
  /** Values in their order, with their words. Default: as they are counted. */
  readonly values?: Readonly<Record<string, string>>;
}

export const WORDS: Readonly<Record<Facet, Words>> = {
  project: { title: "Project", none: "No project" },
  type: { title: "Type" },
  agent: { title: "Author", none: "No agent" },
  bucket: { title: "Bucket" },
  authority: {
    title: "Authority",
    none: "Not stated",
    values: {
      verified: "Verified",
      directive: "Directive",
      observation: "Observation",
      inference: "Inference",
      "": "Not stated",
    },
  },
  changed: {
    title: "Changed",
    values: {
      day: "Last 24 hours",
      week: "1 to 7 days ago",
      month: "7 to 30 days ago",
      quarter: "30 to 90 days ago",
      older: "Earlier",
    },
  },
  expires: {
    title: "Expires",
    none: "Never",
    values: { past: "Has expired", week: "Within 7 days", later: "Later", "": "Never" },
  },
};

export function wordFor(facet: Facet, value: string): string {
  const { none, values } = WORDS[facet];
  return values?.[value] ?? (value === "" ? (none ?? "None") : value);
}
