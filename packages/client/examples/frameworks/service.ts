import { type Client, createClient } from "@recollect/client";

/** A client of the service that the environment names. */
export function clientFromEnvironment(): Client {
  return createClient({
    baseUrl: process.env.RECOLLECT_URL ?? "http://127.0.0.1:8787",
    apiKey: process.env.RECOLLECT_API_KEY ?? "",
  });
}
