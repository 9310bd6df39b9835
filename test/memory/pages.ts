/** Pages of a list, as a client leafs through them. */
import { expect } from "vitest";
import { query } from "../support/acting.ts";
import type { Client } from "../support/world.ts";

interface Listed {
  readonly memories: readonly { readonly id: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export async function listed(client: Client, asked: Record<string, string | number>): Promise<Listed> {
  const { status, body } = await client.get(`/v1/memories${query(asked)}`);
  expect(status).toBe(200);
  return body;
}

export const idsOf = ({ memories }: Listed) => memories.map(({ id }) => id);

/** The whole list, page after page by cursor. */
export async function whole(client: Client, filter: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Listed = await listed(client, { ...filter, limit: 1000, ...(cursor !== "" && { cursor }) });
    ids.push(...idsOf(page));
    cursor = page.next_cursor;
  }
  return ids;
}
