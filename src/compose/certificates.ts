import { readFileSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

/** The certificates of a PEM file that a setting names. `ConfigError` without anything of its content. */
export function certificatesIn(path: string, setting: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch {
    throw new ConfigError(`${setting}: this file cannot be read.`);
  }
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw new ConfigError(`${setting}: this file holds no certificate in PEM.`);
}
