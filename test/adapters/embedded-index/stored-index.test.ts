/** Indexes that were stored and read again: they answer as before, and hold nothing of what was removed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { packIndex, unpackIndex } from "../../../src/recall/index/in-memory/index-snapshot.ts";
import { OwnerIndex } from "../../../src/recall/index/in-memory/owner-index.ts";
import type { IndexDocument } from "../../../src/recall/index/index-document.ts";
import type { IndexSnapshots } from "../../../src/recall/index/index-snapshots.ts";
import { atOnce } from "../../../src/recall/work.ts";
import { runs } from "../../support/random.ts";
import {
  ask,
  indexDocument,
  lexicon,
  MemoryFeed,
  someDocument,
  someText,
} from "../../support/recall-fixtures.ts";

/** Keeps stored indexes in memory. */
class Shelf implements IndexSnapshots {
  kept = new Map<
    string,
    { id: string; cursor: string; description: string; bytes: Uint8Array<ArrayBuffer> }
  >();

  async load(ownerId: string) {
    const kept = this.kept.get(ownerId);
    return kept ? { ...kept, bytes: kept.bytes.slice() } : null;
  }

  async idOf(ownerId: string) {
    return this.kept.get(ownerId)?.id ?? null;
  }

  async begin(ownerId: string) {
    const id = crypto.randomUUID();
    return {
      id,
      store: async (packed: { description: string; columns: readonly Uint8Array[] }, cursor: string) => {
        const bytes = new Uint8Array(Buffer.concat(packed.columns));
        this.kept.set(ownerId, { id, cursor, description: packed.description, bytes });
        return true;
      },
    };
  }
}

const NEVER = new AbortController().signal;
const documents = (revision: number, from: number) =>
  fc
    .integer({ min: 1, max: 30 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, at) => someDocument(from + at, revision))),
    );

test("an index answers the same after a restart, whatever it holds and whatever changes before and after", async () => {
  await fc.assert(
    fc.asyncProperty(
      documents(1, 1),
      documents(2, 10),
      documents(3, 20),
      fc.subarray([1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 20]),
      fc.array(someText, { minLength: 1, maxLength: 3 }),
      async (first, second, third, removed, questions) => {
        const feed = new MemoryFeed();
        const shelf = new Shelf();
        const create = () =>
          createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9, snapshots: shelf, storedFrom: 0 });
        const ownerId = (first[0] as IndexDocument).ownerId;
        const before = create();
        feed.put(...first);
        await ask(before, "tea");
        feed.put(...second);
        for (const seq of removed) feed.push(ownerId, { kind: "remove", id: `memory-${seq}`, revision: 2 });
        await ask(before, "tea");
        await before.store(NEVER);
        expect(shelf.kept.size).toBe(1);
        const after = create();
        const compared = async () => {
          for (const question of questions)
            for (const now of [0, 10, 30]) {
              const scope = { now };
              const [was, is] = [await ask(before, question, scope), await ask(after, question, scope)];
              expect(is.hits).toEqual(was.hits);
              expect(is.set.statistics).toEqual(was.set.statistics);
            }
        };
        await compared();
        expect(feed.readings.at(-1)).not.toBe(null);
        feed.put(...third);
        await compared();
      },
    ),
    { numRuns: runs(60) },
  );
});

test("a stored index has no word, name or vector of a memory that was removed", () => {
  const index = new OwnerIndex(lexicon);
  const secret = {
    content: "Zyxqvorm lives in Xanadu.",
    path: "private/xanadu",
    sessionId: "xanadu",
    source: "Zyxqvorm",
  };
  const documents = [
    indexDocument({ seq: 1, content: "We drink tea." }),
    indexDocument({ seq: 2, ...secret }),
    indexDocument({ seq: 3, content: "We run." }),
  ];
  const without = new OwnerIndex(lexicon);
  const put = (document: IndexDocument) => ({ kind: "put" as const, document });
  index.apply(documents.map(put));
  index.apply([{ kind: "remove", id: documents[1]?.id as string, revision: 9 }]);
  without.apply(documents.filter((_, at) => at !== 1).map(put));
  expect(atOnce(packIndex(index))).toEqual(atOnce(packIndex(without)));
});

test("bytes that do not belong to a description are refused", () => {
  const index = new OwnerIndex(lexicon);
  index.apply([{ kind: "put", document: indexDocument({ seq: 1, content: "tea" }) }]);
  const { description, columns } = atOnce(packIndex(index));
  const bytes = new Uint8Array(Buffer.concat(columns));
  expect(atOnce(unpackIndex(description, bytes, lexicon)).size).toBe(1);
  for (const wrong of [bytes.slice(1), new Uint8Array(0)])
    expect(() => atOnce(unpackIndex(description, wrong, lexicon))).toThrow(RangeError);
});
