import type { Contestant } from "../interleave.ts";

/** Another store that is searched and added to. */
export interface Peer {
  readonly name: string;
  readonly search: Contestant;
  readonly add: Contestant;
  close(): Promise<void>;
}
