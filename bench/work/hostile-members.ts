import type { Operation } from "../../src/contract/operation.ts";
import { sizesUpTo } from "./doubling.ts";
import { PATH_CHARACTERS } from "./fill.ts";
import type { Shape } from "./hostile-text.ts";
import { type Leaf, leavesOf } from "./members.ts";
import { BYTES_MAX, type Carrier, carrierOf, plainItem, restRequest, withValue } from "./requests.ts";

type Members = Readonly<Record<string, unknown>>;

/** A way to make an operation's input hostile, and the sizes it is tried at. */
export interface Attack {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly make: (plain: Members, size: number) => Members;
  /** Whether the schema takes it: what is refused is refused at the same place for every composition. */
  readonly isAccepted: boolean;
}

/** From this size on what is accepted is doubled, and not only tried at its largest. */
const DOUBLED_FROM = 2048;
const KIBIBYTE = 1024;
const SMALL = 40;

/** Every attack on every member of the operation, and on its input as a whole. */
export function attacksOn(operation: Operation, shape: Shape): Attack[] {
  const leaves = leavesOf(operation);
  const members = leaves.flatMap((leaf) => {
    const carrier = carrierOf(operation, leaf.path[0] as string);
    const at = (
      name: string,
      sizes: readonly number[],
      isAccepted: boolean,
      value: (size: number) => unknown,
    ): Attack => ({
      name: `${leaf.path.join(".")}: ${name}`,
      sizes,
      isAccepted,
      make: (plain, size) => withValue(plain, leaf.path, value(size)),
    });
    return [...onMember(leaf, carrier, shape, at), ...onEach(leaf, shape, at)];
  });
  return [...members, ...onWhole(operation, shape)];
}

type At = (
  name: string,
  sizes: readonly number[],
  isAccepted: boolean,
  value: (size: number) => unknown,
) => Attack;

function onMember(leaf: Leaf, carrier: Carrier, shape: Shape, at: At): Attack[] {
  const bytes = BYTES_MAX[carrier];
  const refused = at("a text beyond its bounds", sizesUpTo(bytes, 3), false, (size) =>
    cutToBytes(shape.make(size), size, carrier),
  );
  if (leaf.kind === "text") {
    const longest = Math.min(leaf.longest ?? 128, bytes);
    const sizes = longest >= DOUBLED_FROM ? sizesUpTo(longest, 5) : [longest];
    return [
      at("a text", sizes, true, (size) => cutToBytes(shape.make(size), bytes, carrier)),
      at("a pattern", sizesUpTo(Math.min(longest, PATTERN_CHARACTERS), 3), true, patternOf),
      refused,
    ];
  }
  if (leaf.kind === "object") return onObject(carrier, shape, at);
  if (leaf.kind === "list" && leaf.of.length === 0) {
    return [
      at("numbers", sizesUpTo(8192, 3), true, (size) => Array.from({ length: size }, (_, n) => n / size)),
      at("names", [500], true, (size) => Array.from({ length: size }, (_, n) => `id-${n}`)),
      at("texts", sizesUpTo(bytes / 2, 3), false, (size) => pieces(shape.make(size), SMALL)),
      at("nothings", sizesUpTo(bytes / 5, 3), false, (size) => Array(size).fill(null)),
      at("lists", sizesUpTo(bytes / 3, 3), false, (size) => Array(size).fill([])),
    ];
  }
  return [refused];
}

function onObject(carrier: Carrier, shape: Shape, at: At): Attack[] {
  const most = Math.min(BYTES_MAX[carrier], 64 * KIBIBYTE);
  const sizes = sizesUpTo(most - 100, 4);
  const within = (value: unknown, size: number) => (JSON.stringify(value).length <= size ? value : { a: 1 });
  return [
    at("one long text", sizes, true, (size) => ({ a: cutToBytes(shape.make(size), size - 8, carrier) })),
    at("many short members", sizes, true, (size) =>
      Object.fromEntries(Array.from({ length: size / 11 }, (_, n) => [n.toString(36), "a"])),
    ),
    at("members of texts", sizes, true, (size) =>
      Object.fromEntries(
        pieces(cutToBytes(shape.make(size / 2), size / 2, carrier), SMALL).map((text, n) => [`m${n}`, text]),
      ),
    ),
    at("a long name", sizes, true, (size) => ({ [cutToBytes(shape.make(size), size - 8, carrier)]: "a" })),
    at("texts under a long name", sizes, true, (size) => ({
      [cutToBytes(shape.make(256), 256, carrier)]: Array(Math.floor((size - 300) / 7)).fill("abcd"),
    })),
    at("nested", sizes, true, (size) =>
      within({ a: Array.from({ length: size / 140 }, () => nested(60)) }, size),
    ),
    at("numbers", sizes, true, (size) => ({ a: Array.from({ length: size / 8 }, (_, n) => 1000000 + n) })),
  ];
}

/** Half as long as the paths that there are, and almost in them at every place. */
const PATTERN_CHARACTERS = PATH_CHARACTERS / 2;

function patternOf(size: number): string {
  return `%${"a".repeat(size)}b%`;
}

/** Requests within a request. */
function onEach(leaf: Leaf, shape: Shape, at: At): Attack[] {
  if (leaf.of.length === 0) return [];
  const plain = plainItem(leaf.of);
  const counts = sizesUpTo(500, 4);
  const bytes = BYTES_MAX.body;
  const members = leaf.of
    .filter(({ kind }) => kind === "text" || kind === "object")
    .flatMap(({ path, kind, longest }) =>
      [20, 500].map((count) =>
        at(
          `${count} with ${path[0]}`,
          sizesUpTo(Math.min(bytes, count * (longest ?? 64 * KIBIBYTE)), 3),
          true,
          (size) => {
            const text = (n: number) =>
              cutToBytes(shape.make(size / count), size / count - 60, "body") || String(n);
            return Array.from({ length: count }, (_, n) => ({
              ...plain,
              ...(path[0] === "content" ? {} : { content: `Number ${n}.` }),
              [path[0] as string]: kind === "object" ? { a: text(n) } : text(n),
            }));
          },
        ),
      ),
    );
  return [
    ...members,
    at("plain ones", counts, true, (size) =>
      Array.from({ length: size }, (_, n) => ({
        ...plain,
        content: `Number ${n} of ${crypto.randomUUID()}.`,
      })),
    ),
    at("the same ones", counts, true, (size) => Array(size).fill(plain)),
    at("with unknown members", sizesUpTo(bytes / 2, 3), true, (size) =>
      Array.from({ length: 500 }, () => ({ ...plain, ...unknown(size / 500 / 10) })),
    ),
    at("nothings", sizesUpTo(bytes / 5, 3), false, (size) => Array(size).fill(null)),
  ];
}

/** What does not aim at one member. */
function onWhole(operation: Operation, shape: Shape): Attack[] {
  const isInBody = restRequest(operation, {}).body !== undefined;
  const bytes = isInBody ? BYTES_MAX.body : BYTES_MAX.query;
  const sizes = sizesUpTo(bytes, 3);
  const whole = (name: string, more: (size: number) => Members): Attack => ({
    name: `all: ${name}`,
    sizes,
    isAccepted: false,
    make: (plain, size) => ({ ...plain, ...more(size) }),
  });
  const [known = "content"] = Object.keys(operation.input.shape).filter((name) => name.length >= 5);
  const carrier = isInBody ? "body" : "query";
  return [
    whole("unknown members", (size) => unknown(size / 12)),
    whole("unknown members of texts", (size) =>
      Object.fromEntries(
        pieces(cutToBytes(shape.make(size / 4), size / 4, carrier), 8).map((text, n) => [`${text}${n}`, 1]),
      ),
    ),
    whole("misspelt members", (size) =>
      Object.fromEntries(
        Array.from({ length: size / (known.length + 12) }, (_, n) => [misspelt(known, n), 1]),
      ),
    ),
    whole("one unknown member", (size) => ({ unknown: cutToBytes(shape.make(size), size - 100, carrier) })),
    whole("lists in an unknown member", (size) => ({
      unknown: Array.from({ length: size / 260 }, () => nested(120)),
    })),
    whole("numbers in an unknown member", (size) => ({
      unknown: Array.from({ length: size / 20 }, (_, n) => 9007199254740000 + n),
    })),
  ];
}

function unknown(count: number): Members {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`u${n.toString(36)}`, 1]));
}

/** Spellings that differ, and that mean the same name. */
function misspelt(name: string, number: number): string {
  const dashes = number
    .toString(2)
    .split("")
    .map((bit) => (bit === "1" ? "-" : "_"));
  return (
    [...name].map((letter, at) => `${letter}${dashes[at % dashes.length]}`).join("") + "_".repeat(number % 7)
  );
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

function pieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, n) =>
    text.slice(n * length, (n + 1) * length).toWellFormed(),
  );
}

/** As much of a text as its carrier takes bytes for. */
function cutToBytes(text: string, bytes: number, carrier: Carrier): string {
  const sizeOf = (part: string) =>
    carrier === "body"
      ? Buffer.byteLength(JSON.stringify(part))
      : encodeURIComponent(part.toWellFormed()).length;
  let fits = text;
  for (let size = sizeOf(fits); size > bytes && fits !== ""; size = sizeOf(fits))
    fits = fits.slice(0, Math.floor((fits.length * bytes) / size) - 2).replace(/[\ud800-\udbff]$/, "");
  return fits;
}
