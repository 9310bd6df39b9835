import { type Client, createClient, isRecollectError, type OperationName } from "../../src/client/index.ts";
import type { World } from "../support/world.ts";

/** What a door makes of an operation: its result, or the machine code of its refusal. */
export type DoorAnswer = { readonly result: unknown } | { readonly code: string; readonly detail: string };

/** The client as a door: any operation by its name, with the input that the contract says. */
export function clientDoor(client: Client): (name: OperationName, input: object) => Promise<DoorAnswer> {
  const call = client.call as (name: OperationName, input: object) => Promise<unknown>;
  return async (name, input) => {
    try {
      return { result: await call(name, input) };
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      return { code: error.code, detail: error.message };
    }
  };
}

/** A client of a service in this process. */
export function clientOf(
  world: Pick<World, "handle">,
  apiKey: string,
  options: Partial<Parameters<typeof createClient>[0]> = {},
): Client {
  return createClient({
    baseUrl: "http://localhost",
    apiKey,
    fetch: (url, init) => world.handle(new Request(url, init)),
    ...options,
  });
}
