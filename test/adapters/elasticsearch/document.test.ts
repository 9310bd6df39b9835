import fc from "fast-check";
import { expect, test } from "vitest";
import { toElasticDocument, unpackRecord } from "../../../src/adapters/elasticsearch/document.ts";
import { MAPPING_VERSION } from "../../../src/adapters/elasticsearch/mapping.ts";
import { vectorSteps } from "../../../src/core/embedding/vector-bytes.ts";
import { readDocumentWords } from "../../../src/core/recall/document-words.ts";
import { type IndexDocument, sessionKey } from "../../../src/core/recall/index-document.ts";
import { lexicon, someDocument } from "../../support/recall-fixtures.ts";

const context = { lexicon, dimension: lexicon.dimension, mappingVersion: MAPPING_VERSION };

/** What is read again of a document, with all of its pieces. */
function unpacked(document: IndexDocument) {
  const { body } = toElasticDocument(document, context);
  const bytes = Buffer.from(body.record as string, "base64");
  const { frequencies } = readDocumentWords(document, lexicon);
  return unpackRecord(bytes, bytes.length, new Set(frequencies.keys()));
}

test("what the ranker needs to know of a memory is read as it was written", () => {
  fc.assert(
    fc.property(someDocument(7), (document) => {
      const { id, ownerId, seq, source, occurredAt, vector, hasCallersVector, isAdopted, scope } = document;
      expect(unpacked(document)).toEqual({
        ...{ id, ownerId, seq, source, occurredAt, hasCallersVector, isAdopted },
        session: sessionKey(document),
        isShared: scope === "team" || isAdopted,
        words: readDocumentWords(document, lexicon),
        steps: vector === null ? null : vectorSteps(vector),
      });
    }),
  );
});

/** A memory with a vector, as version 4 of the mapping packed it: without whose vector it is. */
const PACKED_BY_VERSION_4 = "CW1lbW9yeS0xBm93bmVyAQAAQni8/laAAAAIAQgAAIA/AQID/B4ByAwB";

test("until an index of an earlier version is built anew, its vectors say nothing about what is the same", () => {
  const bytes = Buffer.from(PACKED_BY_VERSION_4, "base64");
  const memory = unpackRecord(bytes, bytes.length, new Set());
  expect(memory).toMatchObject({ id: "memory-1", hasCallersVector: true, isShared: false, isAdopted: false });
  expect(memory.steps).toEqual(Int8Array.of(1, 2, 3));
});
