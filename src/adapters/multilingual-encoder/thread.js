// Starts the thread on every runtime. Node reads no TypeScript by itself, or not below node_modules: tsx, with which the
// service runs there, reads it.
import { parentPort } from "node:worker_threads";

const UNREADABLE = ["ERR_UNKNOWN_FILE_EXTENSION", "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING"];

try {
  await import("./encoder-thread.ts").catch(async (error) => {
    if (!UNREADABLE.includes(error.code)) throw error;
    const { tsImport } = await import("tsx/esm/api");
    await tsImport("./encoder-thread.ts", import.meta.url);
  });
} catch (error) {
  parentPort.postMessage({ failed: error.message });
}
