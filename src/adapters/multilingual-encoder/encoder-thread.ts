// The thread that the model runs in, since a text keeps its thread for milliseconds. It posts "ready" or the failure, then
// answers each job.
import { parentPort, workerData } from "node:worker_threads";
import type { MultilingualText } from "../../core/embedding/multilingual-encoder.ts";
import type { ThreadMessage } from "../model-thread.ts";
import { languageOf } from "./language.ts";
import { readLanguageProfiles } from "./language-profiles.ts";
import { openPackageFile, readKernel } from "./package-files.ts";
import { openTensors } from "./safetensors.ts";
import { CHANNELS, SentenceModel } from "./sentence-model.ts";
import { isMostlyUnknown, WordPieces } from "./word-pieces.ts";

/** A text to encode with its language, or the texts of a query, of which only vectors are needed. */
export type Job = { readonly text: string } | { readonly texts: readonly string[] };

export type Encoded = MultilingualText | readonly Float32Array[];

function open(folder: string) {
  const tensors = openTensors(openPackageFile(folder, "model.safetensors"));
  const pieces = new WordPieces(tensors);
  const model = new SentenceModel(tensors, readKernel(folder));
  const profiles = readLanguageProfiles(folder);
  function encode(text: string): Float32Array {
    const numbers = pieces.encode(text);
    // The vectors of such texts are all alike, so that their small differences would decide.
    return isMostlyUnknown(numbers) ? new Float32Array(CHANNELS) : model.encode(numbers);
  }

  return function perform(job: Job): Encoded {
    if ("texts" in job) return job.texts.map(encode);
    return { vector: encode(job.text), language: languageOf(job.text, profiles) };
  };
}

function post(message: ThreadMessage<Encoded>): void {
  parentPort?.postMessage(message);
}

try {
  const perform = open((workerData as { folder: string }).folder);
  parentPort?.on("message", (job: Job) => {
    try {
      post({ result: perform(job) });
    } catch (error) {
      post({ failed: (error as Error).message });
    }
  });
  post({ ready: true });
} catch (error) {
  post({ failed: (error as Error).message });
}
