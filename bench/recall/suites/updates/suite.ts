import { say } from "../../../chaos/say.ts";
import type { Api, Context, SearchHit } from "../api.ts";
import { withProgress } from "../progress.ts";
import { type Findings, shortened, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { AUTHORS, CHANGES_MAX, type History, histories, KEYS, WORDINGS } from "./histories.ts";

const HITS = 10;

/** Facts that changed: what is on top, what is named, and what is confirmed. */
export async function updates(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const all = histories(size, seed);
  const ids = await written(api, all, path);
  say(`updates: ${all.length} facts are stored with their changes, and asked for`);
  const changes = Array.from({ length: CHANGES_MAX }, (_, at) => changesRow(at + 1));
  const rows = KEYS.flatMap((keys) => [
    keys,
    ...[...AUTHORS, ...WORDINGS, ...changes].map((one) => under(keys, one)),
  ]);
  const tally = new Tally(
    [
      "newest first",
      "stale first",
      "newest on top",
      "stale on top",
      "both named",
      "confirmed",
      "conflicting",
    ],
    rows,
  );
  const failures: string[] = [];
  for (const [at, history] of withProgress("updates", "facts", all)) {
    const own = ids[at] as string[];
    const hits = await api.search({ query: history.question, path, limit: HITS });
    const context = await api.context({ query: history.question, path });
    const had = judged(own, hits, context);
    const { keys, authors, wording, writings } = history;
    const parts = [authors, wording, changesRow(writings.length - 1)].map((one) => under(keys, one));
    tally.add([keys, ...parts], had);
    if (isWrong(history, had)) failures.push(failureOf(history, had, context));
  }
  return { tables: [tally.table("Facts that changed 1 to 5 times, in %", "percent", REMARK)], failures };
}

const REMARK = `First: of a search. On top: of the pack, before any other statement of the fact. Both named: the newest and an earlier one are in the pack. With equal keys the earlier ones are superseded, so that only the newest is to be shown and may be confirmed.`;

const under = (keys: string, row: string) => `${keys}, ${row}`;
const changesRow = (count: number) => `${count} change${count === 1 ? "" : "s"}`;

/** Writes every fact's first state, then every fact's second, and so on. The ids of each fact, oldest first. */
async function written(api: Api, all: readonly History[], path: string): Promise<string[][]> {
  const ids = all.map((): string[] => []);
  for (let step = 0; step <= CHANGES_MAX; step += 1) {
    const now = all.flatMap(({ writings }, at) => {
      const writing = writings[step];
      return writing ? [{ at, writing }] : [];
    });
    const stored = await api.store(
      now.map(({ writing: { content, key, agent } }) => ({
        content,
        path,
        dedupe: true,
        provenance: { agent_id: agent, agent_name: agent },
        ...(key === null ? {} : { semantic_key: key }),
      })),
    );
    for (const [place, { at }] of now.entries()) ids[at]?.push(stored[place] as string);
  }
  return ids;
}

function judged(ids: readonly string[], hits: readonly SearchHit[], { items, answer_status }: Context) {
  const newest = ids.at(-1);
  const best = items.find(({ id }) => ids.includes(id))?.id;
  const isEarlier = (id: string | undefined) => id !== undefined && id !== newest && ids.includes(id);
  return {
    "newest first": hits[0]?.id === newest,
    "stale first": isEarlier(hits[0]?.id),
    "newest on top": best === newest,
    "stale on top": isEarlier(best),
    "both named": items.some(({ id }) => id === newest) && items.some(({ id }) => isEarlier(id)),
    confirmed: answer_status === "confirmed_answer",
    conflicting: answer_status === "conflicting_answers",
  };
}

function isWrong({ keys }: History, had: ReturnType<typeof judged>): boolean {
  if (had["stale first"] || had["stale on top"]) return true;
  return keys === "equal keys" ? !had["newest on top"] : !had["both named"] || had.confirmed;
}

function failureOf(
  { keys, authors, wording, writings, question }: History,
  had: ReturnType<typeof judged>,
  { items }: Context,
): string {
  const so = Object.entries(had).filter(([, is]) => is);
  return [
    `${keys}, ${authors}, ${wording}, ${changesRow(writings.length - 1)}: ${so.map(([name]) => name).join(", ")}:`,
    `${question} | newest: ${shortened(writings.at(-1)?.content ?? "")}`,
    `| on top: ${shortened(items[0]?.content ?? "nothing")}`,
  ].join(" ");
}
