import { expect, test } from "vitest";
import { authorities, liveStatuses } from "../../../src/contract/memory.ts";
import { answerStatuses } from "../../../src/contract/recall.ts";
import { LIVE_STATUSES } from "../../../src/recall/index/scope.ts";
import type { AnswerStatus } from "../../../src/recall/statements/answer-status.ts";
import { AUTHORITIES } from "../../../src/recall/statements/newest-first.ts";

test("the engine and the contract have the same words for live statuses, authorities and answers", () => {
  expect(LIVE_STATUSES).toEqual(liveStatuses);
  expect(AUTHORITIES).toEqual(authorities);
  const known: readonly AnswerStatus[] = answerStatuses;
  expect(known).toHaveLength(5);
});
