import type { TokenEncoder } from "../../core/embedding/token-encoder.ts";
import type { TokenVectors } from "../../recall/index/packed-tokens.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { splitScripts } from "../../recall/language/script-terms.ts";
import { type Inference, startInference } from "./inference.ts";
import { findModelFile, TOKEN_GENERATION } from "./model-file.ts";

/** Maximum word pieces of one run: the model's 256 places, less the special tokens at both ends. */
const WINDOW_PIECES = 254;
/** Maximum pieces of a text; the rest is ignored. Passages have up to 1,600 characters, which rarely make more. */
const TEXT_PIECES_MAX = 2 * WINDOW_PIECES;
/** Maximum pieces of a query. Longer ones are truncated, so that vectors take at most about 20 ms. */
const QUERY_PIECES_MAX = 128;

const { dimension } = TOKEN_GENERATION;

/**
 * Opens the token encoder: all-MiniLM-L6-v2 in this process, in a thread of its own.
 *
 * @param folder The folder of the model's package. Defaults to the installed one.
 * @param threads Maximum number of processors that it uses. Defaults to 1.
 * @throws TokenModelError if the package is missing or has another model, or if onnxruntime-node is not installed or does
 * not run here.
 */
export async function openTokenEncoder(
  lexicon: Lexicon,
  { folder, threads = 1 }: { readonly folder?: string; readonly threads?: number } = {},
): Promise<TokenEncoder> {
  const inference = await startInference(await findModelFile(folder), threads);
  const tokens = specialTokensOf(lexicon);
  return {
    generation: TOKEN_GENERATION,
    async encode(texts) {
      const all: TokenVectors[] = [];
      // Sequential, so that texts wait here rather than in the thread's queue.
      for (const text of texts)
        all.push(await encodeWindows(windowsOf(text, lexicon), { inference, tokens }));
      return all;
    },
    async encodeQuery(text) {
      const pieces = piecesOf(text, lexicon).slice(0, QUERY_PIECES_MAX);
      if (pieces.length === 0) return new Int8Array(0);
      return inference.run(modelInput(pieces, tokens), { isUrgent: true });
    },
    close: () => inference.close(),
  };
}

/** Ids of the model's special tokens. */
interface SpecialTokens {
  readonly unknown: number;
  readonly start: number;
  readonly end: number;
  /** Number of ids that the model knows. The lexicon gives higher ones to words that it cannot divide into pieces. */
  readonly vocabularySize: number;
}

function specialTokensOf(lexicon: Lexicon): SpecialTokens {
  const ids = new Map<string, number>();
  let vocabularySize = 0;
  for (let word = lexicon.word(0); word !== undefined; word = lexicon.word(vocabularySize)) {
    ids.set(word, vocabularySize++);
  }
  const idOf = (token: string) => ids.get(token) ?? 0;
  return { unknown: idOf("[UNK]"), start: idOf("[CLS]"), end: idOf("[SEP]"), vocabularySize };
}

/** The ids of a text's word pieces. Skips other scripts, of which the vocabulary has only single letters. */
function piecesOf(text: string, lexicon: Lexicon): number[] {
  return lexicon.pieces(splitScripts(text).spelled);
}

/** Splits the text's pieces into as few windows as possible, of equal length, so that none has too little context. */
function windowsOf(text: string, lexicon: Lexicon): number[][] {
  const pieces = piecesOf(text, lexicon).slice(0, TEXT_PIECES_MAX);
  const count = Math.ceil(pieces.length / WINDOW_PIECES);
  const startOf = (window: number) => Math.round((window * pieces.length) / count);
  return Array.from({ length: count }, (_, window) => pieces.slice(startOf(window), startOf(window + 1)));
}

async function encodeWindows(
  windows: readonly number[][],
  { inference, tokens }: { inference: Inference; tokens: SpecialTokens },
): Promise<TokenVectors> {
  const pieces = windows.reduce((sum, window) => sum + window.length, 0);
  const vectors = new Int8Array(pieces * dimension);
  let at = 0;
  for (const window of windows) {
    vectors.set(await inference.run(modelInput(window, tokens), { isUrgent: false }), at);
    at += window.length * dimension;
  }
  return vectors;
}

/** Adds the special tokens at both ends, and replaces ids that the model does not know. */
function modelInput(
  pieces: readonly number[],
  { start, end, unknown, vocabularySize }: SpecialTokens,
): Int32Array {
  return Int32Array.from([start, ...pieces.map((piece) => (piece < vocabularySize ? piece : unknown)), end]);
}
