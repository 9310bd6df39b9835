import { Worker } from "node:worker_threads";
import { TokenModelError } from "./model-file.ts";

/** A model that runs in a thread of its own, one text at a time. */
export interface Inference {
  /**
   * Returns the output for piece ids, 2 to 256 including the marks at both ends. Urgent runs go before waiting ones.
   * Rejects with `TokenModelError` if the thread has ended.
   */
  run(pieces: Int32Array, order: { readonly isUrgent: boolean }): Promise<Int8Array>;
  close(): Promise<void>;
}

interface Waiting {
  readonly pieces: Int32Array;
  readonly resolve: (vectors: Int8Array) => void;
  readonly reject: (error: Error) => void;
}

/** Messages of the thread: see `inference-thread.js`. */
type Message =
  | { readonly ready: true }
  | { readonly vectors: Int8Array }
  | { readonly closed: true }
  | { readonly failed: "runtime" | "model" | "run"; readonly code?: string; readonly message: string };

const THREAD = new URL("./inference-thread.js", import.meta.url);

/**
 * Starts the thread and loads the model, 80 to 130 MB of memory with the thread.
 *
 * @param threads How many processors one run may take.
 * @throws TokenModelError where the runtime is not installed, does not run here, or refuses the file.
 */
export async function startInference(model: string, threads: number): Promise<Inference> {
  const worker = new Worker(THREAD, { workerData: { model, threads } });
  await ready(worker);

  const urgent: Waiting[] = [];
  const patient: Waiting[] = [];
  let running: Waiting | undefined;
  let failure: TokenModelError | null = null;
  const closed = new Promise<void>((resolve) => {
    worker.on("message", (message: Message) => "closed" in message && resolve());
    worker.once("exit", resolve);
  });

  function next(): void {
    running = urgent.shift() ?? patient.shift();
    if (running !== undefined) worker.postMessage(running.pieces);
  }

  function fail(error: TokenModelError): void {
    failure ??= error;
    for (const waiting of [...(running ? [running] : []), ...urgent.splice(0), ...patient.splice(0)]) {
      waiting.reject(failure);
    }
    running = undefined;
  }

  worker.on("message", (message: Message) => {
    const done = running;
    next();
    if ("vectors" in message) done?.resolve(message.vectors);
    else if ("failed" in message) done?.reject(new TokenModelError(`The model failed: ${message.message}`));
  });
  worker.on("error", (error) => fail(new TokenModelError("The model's thread failed.", { cause: error })));
  worker.on("exit", () => fail(new TokenModelError("The model's thread has ended.")));

  return {
    run: (pieces, { isUrgent }) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        (isUrgent ? urgent : patient).push({ pieces, resolve, reject });
        if (running === undefined) next();
      }),
    async close() {
      if (failure === null) {
        fail(new TokenModelError("The model is closed."));
        worker.postMessage(null);
      }
      await closed;
      await worker.terminate();
    },
  };
}

/** Resolves once the thread has loaded the model. */
async function ready(worker: Worker): Promise<void> {
  const message = await new Promise<Message>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("Its thread ended at once.")));
  }).catch((error: Error) => ({ failed: "runtime" as const, message: error.message }));
  if (!("failed" in message)) return;
  await worker.terminate();
  throw new TokenModelError(reasonOf(message));
}

function reasonOf({ failed, code, message }: Extract<Message, { failed: string }>): string {
  if (failed === "model") return `The token model could not be loaded: ${message}`;
  if (isMissing(code, message))
    return "The token model needs onnxruntime-node, which is not installed: run `npm install --no-save --save-prod --ignore-scripts onnxruntime-node@1.30.0`, or leave the model out.";
  return `onnxruntime-node does not run here (it needs glibc on Linux, or macOS on Apple silicon): leave the token model out. ${message}`;
}

/** True if the error means that a package is missing, which each runtime words differently. */
function isMissing(code: string | undefined, message: string): boolean {
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return true;
  return (
    /cannot find (?:package|module)|could not find/i.test(message) && message.includes("onnxruntime-node")
  );
}
