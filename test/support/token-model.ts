import { createRequire } from "node:module";

/** Whether what runs the token model is installed, which `npm ci` leaves to those who want it. */
export const canRunTokenModel = isInstalled("onnxruntime-node");

function isInstalled(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== "";
  } catch {
    return false;
  }
}
