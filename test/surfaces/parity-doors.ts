import type { Operation } from "../../src/contract/operation.ts";
import { doors, type Reply, UNKNOWN_TOOL } from "../authorization/doors.ts";
import type { World } from "../support/world.ts";

/** A way to have an operation carried out. */
export interface ParityDoor {
  readonly name: string;
  /** Whether the operation can be called through it. */
  readonly has: (operation: Operation) => boolean;
  /** Calls it with a credential and headers, and answers as the contract does, whatever form the door has. */
  readonly call: (
    world: World,
    secret: string,
    operation: Operation,
    input: Record<string, unknown>,
    headers: Readonly<Record<string, string>>,
  ) => Promise<Reply>;
}

/** Every door that carries out operations of the contract under their own names. A new one is added here. */
export const parityDoors: readonly ParityDoor[] = [
  { name: "REST", has: () => true, call: doors.REST as ParityDoor["call"] },
  {
    name: "MCP",
    has: ({ mcp }) => mcp !== undefined,
    async call(world, secret, operation, input, headers) {
      const reply = await (doors.MCP as ParityDoor["call"])(world, secret, operation, input, headers);
      // A tool that the credential may not call is not listed, and unknown when it is called.
      if (reply.code === UNKNOWN_TOOL) return { ...reply, code: "insufficient_scope", body: null };
      const list = operation.mcp?.answerAs;
      return list === undefined || reply.code !== null ? reply : { ...reply, body: reply.body[list] };
    },
  },
];
