import type { AnyOperationName, InputOf, OutputOf } from "../contract/operations.ts";
import type { Caller } from "./caller.ts";

/** How an operation is carried out. Its input and its answer are those of the contract. */
export type UseCase<Ports, Name extends AnyOperationName> = (
  ports: Ports,
  caller: Caller,
  input: InputOf<Name>,
) => Promise<OutputOf<Name>>;
