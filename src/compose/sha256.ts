import { createHash } from "node:crypto";
import type { Hash } from "../core/environment.ts";

export const sha256: Hash = (text) => createHash("sha256").update(text).digest("hex");
