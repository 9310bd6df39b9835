import { hash } from "node:crypto";
import type { Hash } from "../core/environment.ts";

export const sha256: Hash = (text) => hash("sha256", text);
