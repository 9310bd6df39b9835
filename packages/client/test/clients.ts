import { type Client, type ClientOptions, createClient } from "@recollect/client";
import { inject } from "vitest";

/** A client of the suite's server, and the operations that it was asked for, as `POST /v1/remember`. */
export function watchedClient(options: Partial<ClientOptions> = {}): { client: Client; requests: string[] } {
  const { url, key } = inject("server");
  const requests: string[] = [];
  const client = createClient({
    baseUrl: url,
    apiKey: key,
    fetch: (address, init) => {
      requests.push(`${init.method} ${new URL(address).pathname}`);
      return fetch(address, init);
    },
    ...options,
  });
  return { client, requests };
}

/** A client of a service that is not there. */
export function lostClient(): Client {
  return createClient({ baseUrl: "http://127.0.0.1:9", apiKey: "none", retries: 0 });
}
