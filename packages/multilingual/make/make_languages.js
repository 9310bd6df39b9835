// Makes languages.safetensors: how often groups of letters occur in each of 60 languages, from the npm package eld, in
// arrays instead of objects. eld itself would take 100 MB of memory with its smallest table; this takes 4 with the largest.
//
// A group is up to six bytes of UTF-8 within a word, spaces included. `groups` has them in ascending order, each as one
// number of base 256. Group n has the entries from `starts[n]` to `starts[n + 1]` of `languages` and `scores`.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const eld = dirname(fileURLToPath(import.meta.resolve("eld/large")));
const load = (file) => import(pathToFileURL(join(eld, "..", file)).href);
const [{ ngramsData }, { dictionary }, { avgScore }] = await Promise.all(
  ["ngrams/large.js", "dictionary.js", "avgScore.js"].map(load),
);
/** eld subtracts it from each score, so that its file is smaller. */
const SUBTRACTED = 53;

const byteOf = new Map(dictionary.flatMap((letter, byte) => (letter === " " ? [] : [[letter, byte]])));
const groupNumber = (text) =>
  Array.from(text).reduce(
    (number, letter) => number * 256 + (byteOf.get(letter) ?? letter.codePointAt(0)),
    0,
  );

const groups = Object.entries(ngramsData.ngrams)
  .map(([text, scores]) => ({ number: groupNumber(text), scores: Object.entries(scores) }))
  .sort((a, b) => a.number - b.number);

const starts = new Uint32Array(groups.length + 1);
groups.forEach(({ scores }, at) => {
  starts[at + 1] = starts[at] + scores.length;
});
const entries = groups.flatMap(({ scores }) => scores);
const tensors = {
  groups: { dtype: "F64", data: Float64Array.from(groups, ({ number }) => number) },
  starts: { dtype: "U32", data: starts },
  languages: { dtype: "U8", data: Uint8Array.from(entries, ([language]) => Number(language)) },
  scores: { dtype: "U8", data: Uint8Array.from(entries, ([, score]) => score) },
};
const codes = Object.values(ngramsData.languages);
const metadata = {
  languages: codes.join(" "),
  usual_scores: codes.map((code) => avgScore[code]).join(" "),
  score_offset: String(SUBTRACTED),
  license: "Apache-2.0",
};

/** The format safetensors: the header's length, the header, the data. */
function pack() {
  const header = { __metadata__: metadata };
  let end = 0;
  for (const [name, { dtype, data }] of Object.entries(tensors)) {
    header[name] = { dtype, shape: [data.length], data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = JSON.stringify(header);
  const padded = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([
    length,
    padded,
    ...Object.values(tensors).map(({ data }) => Buffer.from(data.buffer)),
  ]);
}

const file = pack();
writeFileSync(new URL("../languages.safetensors", import.meta.url), file);
process.stdout.write(`languages.safetensors: ${file.length} bytes\n`);
