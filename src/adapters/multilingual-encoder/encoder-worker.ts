import { Worker } from "node:worker_threads";
import type { Job, Message, Results } from "./messages.ts";
import { MultilingualEncoderError } from "./package-files.ts";

/** The model in a thread of its own, one job at a time. */
export interface EncoderWorker {
  /** Runs a job. Urgent ones go before waiting ones. Rejects with `MultilingualEncoderError` if the thread has ended. */
  run<K extends Job["kind"]>(
    job: Extract<Job, { kind: K }>,
    order: { readonly isUrgent: boolean },
  ): Promise<Results[K]>;
  close(): Promise<void>;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

const THREAD = new URL("./thread.js", import.meta.url);

/** Starts the thread and loads the model. Throws `MultilingualEncoderError` if it cannot run here. */
export async function startEncoderWorker(folder: string): Promise<EncoderWorker> {
  const worker = new Worker(THREAD, { workerData: { folder } });
  await ready(worker);

  const urgent: Waiting[] = [];
  const patient: Waiting[] = [];
  let running: Waiting | undefined;
  let failure: MultilingualEncoderError | null = null;

  function next(): void {
    running = urgent.shift() ?? patient.shift();
    if (running !== undefined) worker.postMessage(running.job);
  }

  function fail(error: MultilingualEncoderError): void {
    failure ??= error;
    for (const waiting of [...(running ? [running] : []), ...urgent.splice(0), ...patient.splice(0)])
      waiting.reject(failure);
    running = undefined;
  }

  worker.on("message", (message: Message) => {
    const done = running;
    next();
    if ("result" in message) done?.resolve(message.result as never);
    else if ("failed" in message)
      done?.reject(new MultilingualEncoderError(`The model failed: ${message.failed}`));
  });
  worker.on("error", (error) =>
    fail(new MultilingualEncoderError("The model's thread failed.", { cause: error })),
  );
  worker.on("exit", () => fail(new MultilingualEncoderError("The model's thread has ended.")));

  return {
    run: (job, { isUrgent }) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        (isUrgent ? urgent : patient).push({ job, resolve, reject });
        if (running === undefined) next();
      }),
    async close() {
      fail(new MultilingualEncoderError("The model is closed."));
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
  }).catch((error: Error) => ({ failed: error.message }));
  if (!("failed" in message)) return;
  await worker.terminate();
  throw new MultilingualEncoderError(message.failed);
}
