import type { Api } from "./api.ts";
import type { Findings } from "./report.ts";

/** What a suite is given for one run. */
export interface Given {
  /** The suite's own: everything is stored at it or below. */
  readonly path: string;
  readonly size: number;
  /** The same for the same memories and questions. */
  readonly seed: number;
}

export interface Suite {
  readonly about: string;
  readonly sizeIs: string;
  /** Unless another one is asked for. */
  readonly size: number;
  run(api: Api, given: Given): Promise<Findings>;
}
