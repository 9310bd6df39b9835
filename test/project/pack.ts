import { expect } from "vitest";
import {
  type ContextDomain,
  contextDomains,
  projectContextPack,
} from "../../src/contract/project-context.ts";
import type { Client } from "../support/world.ts";
import { ok } from "./workspace.ts";

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
export type Pack = any;

/** The pack that a client is answered, which must be as the contract has it. */
export async function packOf(
  client: Pick<Client, "post">,
  project: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Pack> {
  const pack = await ok(client.post(`/v1/projects/${project}/context`, body, headers));
  expect(projectContextPack.safeParse(pack).error?.issues ?? []).toEqual([]);
  return pack;
}

/** The entries of a section; none where it is left out. */
export function entriesOf(pack: Pack, domain: ContextDomain): Pack[] {
  return pack[domain] ?? [];
}

/** Every entry of every section, with its section. */
export function allEntries(pack: Pack): { domain: ContextDomain; entry: Pack }[] {
  return contextDomains.flatMap((domain) => entriesOf(pack, domain).map((entry) => ({ domain, entry })));
}

/** The ids of a section, in its order. */
export function idsIn(pack: Pack, domain: ContextDomain): string[] {
  return entriesOf(pack, domain).map(({ id }) => id);
}

/** Both limits as wide as they go. */
export const WIDE = { max_items: 1000, max_tokens: 50_000 };
