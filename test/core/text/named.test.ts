import { expect, test } from "vitest";
import { namedIn } from "../../../src/recall/language/named.ts";
import { lexicon } from "../../support/recall-fixtures.ts";

const isOrdinary = (word: string) => lexicon.pieces(word).length === 1;
const named = (query: string) =>
  namedIn(query, isOrdinary).map(({ text, isStrict }) => `${text}${isStrict ? "!" : ""}`);

test.each([
  ["What happened with INC-55314?", ["INC-55314!"]],
  ["What did commit a7f3c9e3 do?", ["a7f3c9e3!"]],
  ["Why was release 5.12.34-rc.2 held back?", ["5.12.34-rc.2!"]],
  ["What runs on 10.4.12.34, port 8443?", ["10.4.12.34!", "8443!"]],
  ["What is in /srv/kiosk/lens-handle.log?", ["/srv/kiosk/lens-handle.log!"]],
  ["What does https://rotor.example.org/podium/481 explain?", ["https://rotor.example.org/podium/481!"]],
  ["Which service listens on port 1709?", ["1709!"]],
  ["Who is 7-year-old?", ["7-year-old"]],
  ["Who is agnes.barlow@kiosk.example.net?", ["agnes.barlow@kiosk.example.net!"]],
  ["What is getUser to blame for?", ["getUser!"]],
  ["What does MAX_RETRY_MS decide?", ["MAX_RETRY_MS!"]],
  ["Who is reached under +49 30 1234567?", ["+49", "1234567!", "+49 30 1234567!"]],
  ["What fills the queue fixed-blue-lens?", ["fixed-blue-lens!"]],
  ['Who said "nothing is impossible"?', ["nothing is impossible!"]],
  ["What did `walnut` mean?", ["walnut!"]],
  ["Agnes Barlow", ["Agnes Barlow!"]],
  ["What did Agnes Barlow take over?", ["Agnes Barlow"]],
  ["Who booked Room 12?", ["Room 12"]],
  ["Which projects use C++ and which C#?", ["C++", "C#"]],
  ["What did Vandermeer write?", ["Vandermeer"]],
  ["fixed-lens", ["fixed-lens!"]],
])("%s names %j", (query, expected) => {
  expect(named(query).sort()).toEqual([...expected].sort());
});

test.each([
  "What is her well-being like, and the state-of-the-art?",
  "When did it happen in May 2023, on the 7th?",
  "He's the dogs' owner, isn't he?",
  "How many of the 12 apples are left?",
  'The pipes of 5" and 6" are out of stock, which others are there?',
  "",
])("%j names nothing", (query) => {
  expect(named(query)).toEqual([]);
});

test("a pasted text names no more than two dozen things", () => {
  const text = Array.from({ length: 500 }, (_, at) => `INC-${10_000 + at}`).join(" ");
  expect(named(text)).toHaveLength(24);
});
