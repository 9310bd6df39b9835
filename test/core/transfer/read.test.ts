import { expect, test } from "vitest";
import { EXPORT_FORMAT } from "../../../src/contract/transfer.ts";
import type { SourceRecord } from "../../../src/core/transfer/import-memories.ts";
import { readExport } from "../../../src/core/transfer/read-lines.ts";
import { bytesOf } from "./transfer-world.ts";

async function read(text: string, size?: number) {
  const source = readExport(bytesOf(text, size));
  const records: SourceRecord[] = [];
  for await (const record of source.records) records.push(record);
  return { records, announced: source.announced() };
}

test("lines are the same however the bytes are cut", async () => {
  const text = '\ufeff{"recollect_export":1,"count":3}\r\n\r\n{"a":"東京🎈"}\r\n{"b":1}\n{"c":2}';
  const whole = await read(text, 10_000);
  expect(whole.announced).toBe(3);
  expect(whole.records.map((record) => [record.line, "value" in record ? record.value : null])).toEqual([
    [3, { a: "東京🎈" }],
    [4, { b: 1 }],
    [5, { c: 2 }],
  ]);
  expect(whole.records.at(-1)?.offset).toBe(new TextEncoder().encode(text).length);
  for (const size of [1, 2, 3, 5, 7]) expect(await read(text, size)).toEqual(whole);
});

test("exports may follow each other in one file", async () => {
  const { records, announced } = await read(
    '{"recollect_export":1,"count":1}\n{"a":1}\n{"recollect_export":1,"count":1}\n{"b":1}\n',
  );
  expect([records.length, announced]).toEqual([2, 2]);
});

test.each([
  ["", "not a Recollect export"],
  ["\n\n", "not a Recollect export"],
  ['{"memory_id":"a"}\n', "not a Recollect export"],
  ["[]", "not a Recollect export"],
  ["PK\u0003\u0004", "not a Recollect export"],
  [`{"recollect_export":${EXPORT_FORMAT + 1}}\n`, "use a newer version"],
])("a file that is no export of this format is refused: %j", async (text, reason) => {
  await expect(read(text)).rejects.toThrow(reason);
});

test("a line that is not UTF-8 is a problem of that line alone", async () => {
  const bytes = new TextEncoder().encode('{"recollect_export":1}\n{"a":"?"}\n{"b":1}\n');
  bytes[bytes.indexOf(63)] = 0xff;
  const source = readExport(
    (async function* () {
      yield bytes;
    })(),
  );
  const records: SourceRecord[] = [];
  for await (const record of source.records) records.push(record);
  expect(records).toEqual([
    { line: 2, offset: 33, problem: "is not UTF-8 text" },
    { line: 3, offset: 41, value: { b: 1 } },
  ]);
});
