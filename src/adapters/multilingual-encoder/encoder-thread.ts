// The thread that the model runs in, since a text keeps its thread for milliseconds. It posts "ready" or the failure, then
// answers each job.
import { parentPort, workerData } from "node:worker_threads";
import { languageOf } from "./language.ts";
import { LanguageProfiles } from "./language-profiles.ts";
import type { Job, Message, Results } from "./messages.ts";
import { readPackageFile } from "./package-files.ts";
import { readTensors } from "./safetensors.ts";
import { CHANNELS, SentenceModel } from "./sentence-model.ts";
import { isMostlyUnknown, WordPieces } from "./word-pieces.ts";

async function open(folder: string) {
  const tensors = readTensors(await readPackageFile(folder, "model.safetensors"));
  const pieces = new WordPieces(tensors);
  const model = new SentenceModel(tensors, await readPackageFile(folder, "kernel.wasm"));
  const profiles = new LanguageProfiles(readTensors(await readPackageFile(folder, "languages.safetensors")));
  function encode(text: string): Float32Array {
    const numbers = pieces.encode(text);
    // The vectors of such texts are all alike, so that their small differences would decide.
    return isMostlyUnknown(numbers) ? new Float32Array(CHANNELS) : model.encode(numbers);
  }

  return function perform(job: Job): Results[Job["kind"]] {
    if (job.kind === "vectors") return job.texts.map(encode);
    return { vector: encode(job.text), language: languageOf(job.text, profiles) };
  };
}

function post(message: Message): void {
  parentPort?.postMessage(message);
}

try {
  const perform = await open((workerData as { folder: string }).folder);
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
