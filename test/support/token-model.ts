import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The model that comes with the service. */
export const TOKEN_MODEL = fileURLToPath(new URL("../../models/token-model.onnx", import.meta.url));

export const hasTokenModel = existsSync(TOKEN_MODEL);

/** Whether what runs it is installed too, which `npm ci` leaves to those who want it. */
export const canRunTokenModel = hasTokenModel && isInstalled("onnxruntime-node");

function isInstalled(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== "";
  } catch {
    return false;
  }
}
