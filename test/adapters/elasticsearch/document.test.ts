import fc from "fast-check";
import { expect, test } from "vitest";
import { toElasticDocument, unpackRecord } from "../../../src/adapters/elasticsearch/document.ts";
import { MAPPING_VERSION } from "../../../src/adapters/elasticsearch/mapping.ts";
import { readPassages } from "../../../src/recall/index/document-passages.ts";
import { type IndexDocument, sessionKey } from "../../../src/recall/index/index-document.ts";
import { indexDocument, lexicon, someDocument } from "../../support/recall-fixtures.ts";

const context = { lexicon, dimension: lexicon.dimension, mappingVersion: MAPPING_VERSION, spread: new Map() };

/** What is read again of a document, with all of its pieces. */
function unpacked(document: IndexDocument) {
  const { body } = toElasticDocument(document, context);
  const bytes = Buffer.from(body.record as string, "base64");
  const pieces = readPassages(document, lexicon).flatMap(({ words }) => [...words.frequencies.keys()]);
  return unpackRecord(bytes, bytes.length, new Set(pieces));
}

test("what the ranker needs to know of a memory is read as it was written", () => {
  fc.assert(
    fc.property(someDocument(7), (document) => {
      const { id, ownerId, seq, source, occurredAt, hasCallersVector, isAdopted, scope, language } = document;
      expect(unpacked(document)).toEqual({
        ...{ id, ownerId, seq, source, occurredAt, hasCallersVector, isAdopted, language },
        session: sessionKey(document),
        isShared: scope === "team" || isAdopted,
        passages: readPassages(document, lexicon),
      });
    }),
  );
});

test("an index of before passages gets a long memory as a whole, as those that read it know it", () => {
  const document = indexDocument({ seq: 1, content: "walnut tea in locker nine. ".repeat(300) });
  const { body } = toElasticDocument(document, { ...context, mappingVersion: 6 });
  expect(Object.keys(body)).not.toContain("more");
  expect(Object.keys(body)).not.toContain("passages");
  const bytes = Buffer.from(body.record as string, "base64");
  expect(unpackRecord(bytes, bytes.length, new Set()).passages).toHaveLength(1);
});

/** A memory with a vector, as version 4 of the mapping packed it: without whose vector it is. */
const PACKED_BY_VERSION_4 = "CW1lbW9yeS0xBm93bmVyAQAAQni8/laAAAAIAQgAAIA/AQID/B4ByAwB";

test("until an index of an earlier version is built anew, its vectors say nothing about what is the same", () => {
  const bytes = Buffer.from(PACKED_BY_VERSION_4, "base64");
  const memory = unpackRecord(bytes, bytes.length, new Set());
  expect(memory).toMatchObject({ id: "memory-1", hasCallersVector: true, isShared: false, isAdopted: false });
  expect(memory.passages.map(({ steps }) => steps)).toEqual([Int8Array.of(1, 2, 3)]);
});
