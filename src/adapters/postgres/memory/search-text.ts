import type { Caller } from "../../../core/caller.ts";
import type { TextFinding, TextSearch } from "../../../core/memory/memory-store.ts";
import type { Sql } from "../database/client.ts";
import { readWithin } from "../database/transactions.ts";
import { searchLarge } from "./search-text-large.ts";
import { searchWhole } from "./search-text-whole.ts";
import { memoriesOf } from "./total.ts";

/** Owners of so many memories together are searched as a whole. */
const WHOLE_MAX = 20_000;
/** For so long; what takes longer, because its texts are long, is searched as what is larger. */
const WHOLE_MS = 10_000;
/** While an owner's memories are not counted yet, one of more is taken for one of so many. */
const COUNTED_MAX = 200_000;

/** See `MemoryStore.searchText`. */
export async function searchText(sql: Sql, caller: Caller, search: TextSearch): Promise<TextFinding> {
  const [row] = await sql`select ${memoriesOf(sql, search.owners, COUNTED_MAX)} as count`;
  const ownedCount = row?.count as number;
  const whole =
    ownedCount > WHOLE_MAX ? null : await readWithin(sql, WHOLE_MS, (tx) => searchWhole(tx, caller, search));
  return whole ?? searchLarge(sql, caller, search, ownedCount);
}
