import { Worker } from "node:worker_threads";

/** A model that runs in a thread of its own, one job at a time. */
export interface ModelThread<Job, Result> {
  /** Urgent jobs go before waiting ones. Rejects with the model's error if the job failed or the thread has ended. */
  run(job: Job, order: { readonly isUrgent: boolean }): Promise<Result>;
  close(): Promise<void>;
}

export interface ThreadFailure {
  readonly failed: string;
  /** The part that failed before the model was ready. */
  readonly stage?: "runtime" | "model";
  readonly code?: string;
}

/** The thread's messages: `ready` once, then one for each job, and `closed` after it was sent null. */
export type ThreadMessage<Result> =
  | { readonly ready: true }
  | { readonly result: Result }
  | { readonly closed: true }
  | ThreadFailure;

export interface ThreadOptions {
  /** The file that the thread runs, and what it reads as `workerData`. */
  readonly file: URL;
  readonly data: object;
  /** True if the thread must give its memory back before it ends. */
  readonly mustRelease: boolean;
  readonly error: (message: string, options?: ErrorOptions) => Error;
  /** Says why the model cannot run here. Defaults to the thread's own words. */
  readonly reasonOf?: (failure: ThreadFailure) => string;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the thread and loads the model. Throws the model's error if it cannot run here. */
export async function startModelThread<Job, Result>(
  options: ThreadOptions,
): Promise<ModelThread<Job, Result>> {
  const worker = new Worker(options.file, { workerData: options.data });
  await ready(worker, options);

  const urgent: Waiting<Job, Result>[] = [];
  const patient: Waiting<Job, Result>[] = [];
  let running: Waiting<Job, Result> | undefined;
  let failure: Error | null = null;
  const closed = new Promise<void>((resolve) => {
    worker.on("message", (message: ThreadMessage<Result>) => "closed" in message && resolve());
    worker.once("exit", resolve);
  });

  function next(): void {
    running = urgent.shift() ?? patient.shift();
    if (running !== undefined) worker.postMessage(running.job);
  }

  function fail(error: Error): void {
    failure ??= error;
    for (const waiting of [...(running ? [running] : []), ...urgent.splice(0), ...patient.splice(0)])
      waiting.reject(failure);
    running = undefined;
  }

  worker.on("message", (message: ThreadMessage<Result>) => {
    const done = running;
    next();
    if ("result" in message) done?.resolve(message.result);
    else if ("failed" in message) done?.reject(options.error(`The model failed: ${message.failed}`));
  });
  worker.on("error", (error) => fail(options.error("The model's thread failed.", { cause: error })));
  worker.on("exit", () => fail(options.error("The model's thread has ended.")));

  return {
    run: (job, { isUrgent }) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        (isUrgent ? urgent : patient).push({ job, resolve, reject });
        if (running === undefined) next();
      }),
    async close() {
      if (failure === null) {
        fail(options.error("The model is closed."));
        if (options.mustRelease) worker.postMessage(null);
      }
      if (options.mustRelease) await closed;
      await worker.terminate();
    },
  };
}

/** Resolves once the thread has loaded the model. */
async function ready(worker: Worker, { error, reasonOf }: ThreadOptions): Promise<void> {
  const message = await new Promise<ThreadMessage<never>>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("Its thread ended at once.")));
  }).catch((cause: Error): ThreadFailure => ({ failed: cause.message, stage: "runtime" }));
  if (!("failed" in message)) return;
  await worker.terminate();
  throw error(reasonOf?.(message) ?? message.failed);
}
