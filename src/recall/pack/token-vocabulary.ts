/** No token, or no tree node. */
export const NONE = -1;

const ROOT = 0;
/** The hash table of edges has two and a half slots, of two numbers each, for each of the tree's 420,000 nodes. */
const SLOTS_LOG2 = 20;
const EDGES_LENGTH = 2 * 2 ** SLOTS_LOG2;
/** 2³² divided by the golden ratio: spreads consecutive keys over the table. */
const SPREAD = 0x9e3779b1;
/** An odd number far from the other, so that (a, b) and (b, a) have different slots. */
const SPREAD_OF_RIGHT = 0x85ebca6b;
const PAIRS_LOG2 = 15;
const ANY_RANK = 2 ** 31 - 1;
const NODES_MAX = 2 ** 19;

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const NO_DIGIT = 64;
/** The value of each base64 digit, by its character. The padding has none. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (const [value, digit] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries())
  DIGITS[digit.charCodeAt(0)] = value;

/**
 * The tokens of `o200k_base`, identified by rank, as a trie over their bytes, so that no lookup needs a string: some 16
 * MB of numbers. Every single byte is a token, and every token is what byte pair encoding makes of its own bytes.
 */
export class TokenVocabulary {
  /** Number of bytes of each token. */
  readonly lengths: Uint8Array;
  #lengthMax = 0;
  readonly #bytes: Uint8Array;
  /** Offset of each token's bytes. */
  readonly #starts: Int32Array;
  /** The node at which a token ends, and the token that ends at a node. */
  readonly #nodes: Int32Array;
  readonly #tokens: Int32Array;
  /** Pairs of an edge's key and its target node, hashed by the key. A key of 0 marks a free slot. */
  readonly #edges = new Int32Array(EDGES_LENGTH);
  /** The pairs of tokens that were compared last, and whether they stay apart: left, right, 1 or 0. */
  readonly #pairs = new Int32Array(3 * 2 ** PAIRS_LOG2).fill(NONE);
  /** Caches of derived token facts, stored as value + 2; 0: not computed yet. */
  readonly #prefixes: Int32Array;
  readonly #lefts: Int32Array;
  readonly #rights: Int32Array;

  /** @param file Lines of a token's bytes in base64, a space, and its rank, in the order of the ranks. */
  constructor(file: Uint8Array) {
    let count = 0;
    for (let at = 0; at < file.length; at++) if (file[at] === LINE_FEED) count++;
    this.lengths = new Uint8Array(count);
    this.#bytes = new Uint8Array(file.length);
    this.#starts = new Int32Array(count);
    this.#nodes = new Int32Array(count);
    this.#prefixes = new Int32Array(count);
    this.#lefts = new Int32Array(count);
    this.#rights = new Int32Array(count);
    this.#tokens = new Int32Array(NODES_MAX).fill(NONE);
    let nodes = ROOT + 1;
    let start = 0;
    for (let rank = 0, line = 0; rank < count; rank++, line = file.indexOf(LINE_FEED, line) + 1) {
      const end = this.#decode(file, line, start);
      this.#starts[rank] = start;
      this.lengths[rank] = end - start;
      this.#lengthMax = Math.max(this.#lengthMax, end - start);
      let node = ROOT;
      for (; start < end; start++) {
        const key = keyOf(node, this.#bytes[start] as number);
        const slot = this.#slotOf(key);
        if (this.#edges[slot] === 0) {
          this.#edges[slot] = key;
          this.#edges[slot + 1] = nodes++;
        }
        node = this.#edges[slot + 1] as number;
      }
      this.#tokens[node] = rank;
      this.#nodes[rank] = node;
    }
    this.#bytes = this.#bytes.slice(0, start);
  }

  /** Whether this range of a text is a token of ASCII characters. Does not encode it to bytes. */
  hasAscii(text: string, start: number, end: number): boolean {
    let node = ROOT;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x80) return false;
      node = this.#next(node, unit);
      if (node === NONE) return false;
    }
    return this.#tokens[node] !== NONE;
  }

  /** The longest token that is a prefix of these bytes. */
  longestMatch(bytes: Uint8Array, start: number, end: number): number {
    let found = NONE;
    let node = ROOT;
    for (let at = start; at < end; at++) {
      node = this.#next(node, bytes[at] as number);
      if (node === NONE) return found;
      const token = this.#tokens[node] as number;
      if (token !== NONE) found = token;
    }
    return found;
  }

  /** The longest other token that is a prefix of this one; NONE for a single byte. */
  prefixOf(token: number): number {
    const known = this.#prefixes[token] as number;
    if (known !== 0) return known - 2;
    const start = this.#starts[token] as number;
    const prefix = this.longestMatch(this.#bytes, start, start + (this.lengths[token] as number) - 1);
    this.#prefixes[token] = prefix + 2;
    return prefix;
  }

  /** Whether byte pair encoding leaves these two tokens side by side. Texts repeat their pairs. */
  staysApart(left: number, right: number): boolean {
    const pairs = this.#pairs;
    const slot = 3 * ((Math.imul(left, SPREAD) + Math.imul(right, SPREAD_OF_RIGHT)) >>> (32 - PAIRS_LOG2));
    if (pairs[slot] !== left || pairs[slot + 1] !== right) {
      pairs[slot] = left;
      pairs[slot + 1] = right;
      pairs[slot + 2] = Number(this.#areApart(left, right, ANY_RANK));
    }
    return pairs[slot + 2] === 1;
  }

  /**
   * Undoes the merges that made the tokens, latest first. Checks after each whether the two tokens that then meet would
   * have merged earlier. Only merges into tokens below `below` count.
   */
  #areApart(left: number, right: number, below: number): boolean {
    let limit = below;
    for (let a = left, b = right; ; ) {
      const merged = this.#merged(a, b);
      if (merged !== NONE && merged < limit) return false;
      // If two merges have the same rank, the left one happens first, so the right one is undone first.
      const isLeftNext = this.#isPair(a) && (a > b || !this.#isPair(b));
      if (!isLeftNext && !this.#isPair(b)) return true;
      if (isLeftNext) {
        limit = a;
        a = this.#rightOf(a);
      } else {
        limit = b + 1;
        b = this.#leftOf(b);
      }
    }
  }

  #isPair(token: number): boolean {
    return (this.lengths[token] as number) > 1;
  }

  #leftOf(token: number): number {
    if (this.#lefts[token] === 0) this.#split(token);
    return (this.#lefts[token] as number) - 2;
  }

  #rightOf(token: number): number {
    if (this.#rights[token] === 0) this.#split(token);
    return (this.#rights[token] as number) - 2;
  }

  /** Finds the two tokens that merge into this one. They exist for all tokens except single bytes. */
  #split(token: number): void {
    const start = this.#starts[token] as number;
    const end = start + (this.lengths[token] as number);
    for (let left = this.prefixOf(token); left !== NONE; left = this.prefixOf(left)) {
      const right = this.#walk(ROOT, start + (this.lengths[left] as number), end);
      if (right === NONE || left > token || right > token || !this.#areApart(left, right, token)) continue;
      this.#lefts[token] = left + 2;
      this.#rights[token] = right + 2;
      return;
    }
    throw new Error(`token ${token} of the vocabulary is not made of others`);
  }

  #merged(left: number, right: number): number {
    if ((this.lengths[left] as number) + (this.lengths[right] as number) > this.#lengthMax) return NONE;
    const start = this.#starts[right] as number;
    return this.#walk(this.#nodes[left] as number, start, start + (this.lengths[right] as number));
  }

  /** The token reached from a node by these bytes of the vocabulary. */
  #walk(from: number, start: number, end: number): number {
    let node = from;
    for (let at = start; at < end; at++) {
      node = this.#next(node, this.#bytes[at] as number);
      if (node === NONE) return NONE;
    }
    return this.#tokens[node] as number;
  }

  #next(node: number, byte: number): number {
    const slot = this.#slotOf(keyOf(node, byte));
    return this.#edges[slot] === 0 ? NONE : (this.#edges[slot + 1] as number);
  }

  /** The slot of an edge in the table, or the free slot where it would go. */
  #slotOf(key: number): number {
    const edges = this.#edges;
    let slot = 2 * (Math.imul(key, SPREAD) >>> (32 - SLOTS_LOG2));
    while (edges[slot] !== key && edges[slot] !== 0) slot = (slot + 2) & (EDGES_LENGTH - 1);
    return slot;
  }

  /** Decodes the base64 of a line into the vocabulary's bytes, from `start` on. Returns where they end. */
  #decode(file: Uint8Array, line: number, start: number): number {
    let end = start;
    let bits = 0;
    let bitCount = 0;
    for (let at = line; file[at] !== SPACE; at++) {
      const digit = DIGITS[file[at] as number] as number;
      if (digit === NO_DIGIT) continue;
      bits = ((bits << 6) | digit) & 0xfff;
      bitCount += 6;
      if (bitCount < 8) continue;
      bitCount -= 8;
      this.#bytes[end++] = bits >> bitCount;
    }
    return end;
  }
}

function keyOf(node: number, byte: number): number {
  return node * 256 + byte + 1;
}
