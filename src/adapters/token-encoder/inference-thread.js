// The thread that the model runs in, since a run keeps its thread for as long as it takes. Plain JavaScript, so that every
// runtime starts it without a loader. It says "ready" or what failed; then answers each message, which are ids of pieces,
// with their vectors or what failed. Sent null, it gives the model's memory back and says "closed".
import { parentPort, workerData } from "node:worker_threads";

/** The package is CommonJS: whether its names are on the module itself differs between runtimes. */
async function loadRuntime() {
  const loaded = await import("onnxruntime-node");
  return loaded.default ?? loaded;
}

async function openSession({ InferenceSession }) {
  return InferenceSession.create(workerData.model, {
    intraOpNumThreads: workerData.threads,
    interOpNumThreads: 1,
    // Lengths differ from text to text: what is kept for each would only grow.
    enableMemPattern: false,
    enableCpuMemArena: false,
  });
}

async function start() {
  let stage = "runtime";
  try {
    const { InferenceSession, Tensor } = await loadRuntime();
    stage = "model";
    const session = await openSession({ InferenceSession });
    const run = async (pieces) => {
      try {
        const { vectors } = await session.run({ pieces: new Tensor("int32", pieces, [pieces.length]) });
        parentPort.postMessage({ result: vectors.data });
      } catch (error) {
        parentPort.postMessage({ failed: error.message });
      }
    };
    // One after the other: a session that is released while it runs, or a thread that ends then, ends the process.
    let last = Promise.resolve();
    parentPort.on("message", (pieces) => {
      last = last.then(() => (pieces === null ? close(session) : run(pieces)));
    });
    parentPort.postMessage({ ready: true });
  } catch (error) {
    parentPort.postMessage({ failed: error.message, stage, code: error.code });
  }
}

async function close(session) {
  await session.release();
  parentPort.postMessage({ closed: true });
}

await start();
