import { type ModelThread, startModelThread, type ThreadFailure } from "../model-thread.ts";
import { TokenModelError } from "./model-file.ts";

/** Runs the model on piece ids, 2 to 256 including the marks at both ends. */
export type Inference = ModelThread<Int32Array, Int8Array>;

/**
 * Starts a thread and loads the model into it. Both take 80 to 130 MB of memory.
 *
 * @param threads Maximum number of processors that one run uses.
 * @throws TokenModelError if the runtime is not installed, does not run here, or rejects the file.
 */
export const startInference = (model: string, threads: number): Promise<Inference> =>
  startModelThread({
    file: new URL("./inference-thread.js", import.meta.url),
    data: { model, threads },
    mustRelease: true,
    error: (message, options) => new TokenModelError(message, options),
    reasonOf,
  });

function reasonOf({ failed, stage, code }: ThreadFailure): string {
  if (stage === "model") return `The token model could not be loaded: ${failed}`;
  if (isMissing(code, failed))
    return "The token model needs onnxruntime-node, which is not installed: run `npm install --no-save --save-prod --ignore-scripts onnxruntime-node@1.30.0`, or leave the model out.";
  return `onnxruntime-node does not run here (it needs glibc on Linux, or macOS on Apple silicon): leave the token model out. ${failed}`;
}

/** True if the error means that a package is missing, which each runtime words differently. */
function isMissing(code: string | undefined, message: string): boolean {
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return true;
  return (
    /cannot find (?:package|module)|could not find/i.test(message) && message.includes("onnxruntime-node")
  );
}
