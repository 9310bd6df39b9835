/** What the small benches share: their form, a key, and figures over many measurements. */
import type { Service } from "../../src/compose/service.ts";
import { type Scope, scopes } from "../../src/contract/scope.ts";

/** One bench of `main.ts`: its default options say which there are, and of which kind. */
export interface Bench<Options extends Readonly<Record<string, number | string | boolean>>> {
  readonly help: string;
  readonly defaults: Options;
  run(options: Options): Promise<void>;
}

/** Widens the defaults, so that `run` takes any number, text or flag. */
type Widened<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends number
    ? number
    : Options[Name] extends boolean
      ? boolean
      : string;
};

export function bench<const Options extends Readonly<Record<string, number | string | boolean>>>(
  help: string,
  defaults: Options,
  run: (options: Widened<Options>) => Promise<void>,
): Bench<Widened<Options>> {
  return { help, defaults: defaults as Widened<Options>, run };
}

/** A key of the user `bench` with every scope. */
export async function issueKey({ credentials }: Pick<Service, "credentials">) {
  const owner = await credentials.ensureOwner("user", "bench");
  return credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: null,
    scopes: Object.keys(scopes) as Scope[],
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);
