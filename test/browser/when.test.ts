import { expect, test } from "vitest";
import { ago, when } from "../../src/surfaces/pages/page.ts";

const NOW = Date.UTC(2026, 0, 31, 9, 0, 0);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [0, "less than a minute ago"],
  [-59 * SECOND, "less than a minute ago"],
  [-MINUTE, "1 minute ago"],
  [-119 * SECOND, "1 minute ago"],
  [-59 * MINUTE, "59 minutes ago"],
  [-25 * HOUR, "1 day ago"],
  [-800 * 24 * HOUR, "800 days ago"],
  [10 * SECOND, "in less than a minute"],
  [10 * MINUTE - 5, "in 10 minutes"],
  [24 * HOUR - 5, "in 1 day"],
  [40 * MINUTE, "in 40 minutes"],
])("an instant %d ms from now is %j", (ms, words) => {
  expect(ago(NOW + ms, NOW).text).toContain(`>${words}</time>`);
});

test("an instant is told absolutely too, in UTC, for people and for machines", () => {
  expect(when(NOW, NOW).text).toBe(
    `<time datetime="2026-01-31T09:00:00.000Z">less than a minute ago (31 January 2026 at 09:00 UTC)</time>`,
  );
});
