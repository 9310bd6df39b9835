/** Columns of the table of memories, besides the memory itself. */
import type { MemoriesSearch } from "./address.ts";
import type { ListedMemory } from "./windows.ts";

export interface ColumnOf {
  readonly name: string;
  readonly title: string;
  /** As in `grid-template-columns`. */
  readonly width: string;
  /** The field that the list is sorted by when its head is pressed. */
  readonly sort?: NonNullable<MemoriesSearch["sort"]>;
  readonly isRight?: boolean;
  /** Stays while a memory is open beside the list. */
  readonly isKept?: boolean;
}

export const COLUMNS = [
  { name: "path", title: "Path", width: "clamp(96px, 10vw, 176px)", sort: "path" },
  { name: "type", title: "Type", width: "96px", sort: "type" },
  { name: "author", title: "Author", width: "clamp(88px, 9vw, 144px)" },
  { name: "bucket", title: "Bucket", width: "96px" },
  { name: "recalls", title: "Recalls", width: "84px", sort: "recalls", isRight: true, isKept: true },
  { name: "importance", title: "Importance", width: "96px", sort: "importance", isRight: true },
  { name: "confidence", title: "Confidence", width: "96px", sort: "confidence", isRight: true },
  { name: "expires", title: "Expires", width: "80px", isRight: true },
  { name: "changed", title: "Changed", width: "84px", sort: "changed", isRight: true },
  { name: "stored", title: "Stored", width: "76px", sort: "stored", isRight: true, isKept: true },
] as const satisfies readonly ColumnOf[];

export type ColumnName = (typeof COLUMNS)[number]["name"];

const DEFAULT: readonly ColumnName[] = ["path", "author", "recalls", "stored"];

export function columnsOf({ columns }: MemoriesSearch): readonly ((typeof COLUMNS)[number] & ColumnOf)[] {
  const names: readonly string[] = columns?.split(",") ?? DEFAULT;
  return COLUMNS.filter(({ name }) => names.includes(name));
}

/** Says the order of a list. */
export function wordsOfOrder({ sort = "stored", order }: MemoriesSearch): string {
  const isAscending = order === "ascending";
  switch (sort) {
    case "stored":
      return isAscending ? "oldest first" : "newest first";
    case "changed":
      return isAscending ? "longest unchanged first" : "last changed first";
    case "importance":
      return isAscending ? "least important first" : "most important first";
    case "confidence":
      return isAscending ? "least certain first" : "most certain first";
    case "recalls":
      return isAscending ? "least recalled first" : "most recalled first";
    case "content":
      return `by text, ${isAscending ? "A to Z" : "Z to A"}`;
    default:
      return `by ${sort}, ${isAscending ? "A to Z" : "Z to A"}`;
  }
}

/** The order after a press on a head: the other way if the list has it already, otherwise its usual one. */
export function nextOrder(
  search: MemoriesSearch,
  sort: NonNullable<ColumnOf["sort"]>,
): Partial<MemoriesSearch> {
  const isAlready = (search.sort ?? "stored") === sort;
  const isText = ["content", "path", "type"].includes(sort);
  const isAscending = isAlready ? search.order !== "ascending" : isText;
  return { sort: sort === "stored" ? undefined : sort, order: isAscending ? "ascending" : undefined };
}

/** The agent that wrote a memory; null if none is recorded. */
export const authorOf = ({ boundary }: Pick<ListedMemory, "boundary">): string | null =>
  boundary.memory_agent_id;
