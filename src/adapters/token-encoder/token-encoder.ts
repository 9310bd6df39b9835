import type { TokenEncoder } from "../../core/embedding/token-encoder.ts";
import type { TokenVectors } from "../../recall/index/packed-tokens.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { splitScripts } from "../../recall/language/script-terms.ts";
import { type Inference, startInference } from "./inference.ts";
import { findModelFile, TOKEN_GENERATION } from "./model-file.ts";

/** Word pieces in one run: the model's 256 places without the marks at both ends. */
const WINDOW_PIECES = 254;
/** A text's are made up to here: more than a passage of 1,600 characters has, unless it is all signs. */
const TEXT_PIECES_MAX = 2 * WINDOW_PIECES;
/** Maximum pieces of a query. Longer ones are truncated, so that vectors take at most about 20 ms. */
const QUERY_PIECES_MAX = 128;

const { dimension } = TOKEN_GENERATION;

/**
 * Opens the token encoder: all-MiniLM-L6-v2 in this process, in a thread of its own.
 *
 * @param folder Of its package. Defaults to where that is installed.
 * @param threads How many processors it may take. Defaults to 1.
 * @throws TokenModelError if the package is missing or another's, or onnxruntime-node is not installed or does not run
 * here.
 */
export async function openTokenEncoder(
  lexicon: Lexicon,
  { folder, threads = 1 }: { readonly folder?: string; readonly threads?: number } = {},
): Promise<TokenEncoder> {
  const inference = await startInference(await findModelFile(folder), threads);
  const marks = marksOf(lexicon);
  return {
    generation: TOKEN_GENERATION,
    async encode(texts) {
      const all: TokenVectors[] = [];
      // Sequential, so that texts wait here rather than in the thread's queue.
      for (const text of texts) all.push(await encodeWindows(windowsOf(text, lexicon), { inference, marks }));
      return all;
    },
    async encodeQuery(text) {
      const pieces = piecesOf(text, lexicon).slice(0, QUERY_PIECES_MAX);
      if (pieces.length === 0) return new Int8Array(0);
      return inference.run(framed(pieces, marks), { isUrgent: true });
    },
    close: () => inference.close(),
  };
}

/** The model's special ids. */
interface Marks {
  readonly unknown: number;
  readonly start: number;
  readonly end: number;
  /** Ids from here on are words without pieces, which the model does not know. */
  readonly vocabulary: number;
}

function marksOf(lexicon: Lexicon): Marks {
  const ids = new Map<string, number>();
  let vocabulary = 0;
  for (let word = lexicon.word(0); word !== undefined; word = lexicon.word(vocabulary)) {
    ids.set(word, vocabulary++);
  }
  const idOf = (mark: string) => ids.get(mark) ?? 0;
  return { unknown: idOf("[UNK]"), start: idOf("[CLS]"), end: idOf("[SEP]"), vocabulary };
}

/** The vocabulary has only single letters of other scripts, which mean nothing to the model. */
function piecesOf(text: string, lexicon: Lexicon): number[] {
  return lexicon.pieces(splitScripts(text).spelled);
}

/** The text's pieces in as few windows as there can be, of even length, so that none is left with no neighbours. */
function windowsOf(text: string, lexicon: Lexicon): number[][] {
  const pieces = piecesOf(text, lexicon).slice(0, TEXT_PIECES_MAX);
  const count = Math.ceil(pieces.length / WINDOW_PIECES);
  const startOf = (window: number) => Math.round((window * pieces.length) / count);
  return Array.from({ length: count }, (_, window) => pieces.slice(startOf(window), startOf(window + 1)));
}

async function encodeWindows(
  windows: readonly number[][],
  { inference, marks }: { inference: Inference; marks: Marks },
): Promise<TokenVectors> {
  const pieces = windows.reduce((sum, window) => sum + window.length, 0);
  const vectors = new Int8Array(pieces * dimension);
  let at = 0;
  for (const window of windows) {
    vectors.set(await inference.run(framed(window, marks), { isUrgent: false }), at);
    at += window.length * dimension;
  }
  return vectors;
}

/** The pieces between the marks, each of them an id of the model's. */
function framed(pieces: readonly number[], { start, end, unknown, vocabulary }: Marks): Int32Array {
  return Int32Array.from([start, ...pieces.map((piece) => (piece < vocabulary ? piece : unknown)), end]);
}
