/** Where the examples find the service: RECOLLECT_URL and RECOLLECT_API_KEY, on every runtime. */
import { env } from "node:process";

export const baseUrl: string = env.RECOLLECT_URL ?? "http://127.0.0.1:8787";
export const apiKey: string = env.RECOLLECT_API_KEY ?? "";
