import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Answer, Client } from "./world.ts";

/** Text that nobody guesses and nothing else contains. */
export function unguessable(word = "w"): string {
  return `${word}${randomBytes(9).toString("hex")}`;
}

/** The name of an owner that no other test has. */
export function freshOwner(): string {
  return unguessable("owner-");
}

/** A body that a create accepts, with what the test does not name filled in. */
export function memory(given: Record<string, unknown> = {}): Record<string, unknown> {
  return { content: "The staging database is db-2.", path: "notes", ...given };
}

/** Stores a memory and answers its id. */
export async function stored(
  client: Pick<Client, "post">,
  given: Record<string, unknown> = {},
): Promise<string> {
  const answer = await client.post("/v1/memories", memory(given));
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id;
}

/** A query string of these members; a repeated member is an array. */
export function query(members: Record<string, string | number | boolean>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) search.append(name, String(value));
  return `?${search}`;
}

/** The contents that a list answers. */
export async function listed(
  client: Pick<Client, "get">,
  members: Record<string, string | number | boolean> = {},
): Promise<string[]> {
  const answer = await client.get(`/v1/memories${query(members)}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.memories.map((item: { content: string }) => item.content);
}

/** The ids that a search answers, best first. */
export async function found(
  client: Pick<Client, "get">,
  text: string,
  members: Record<string, string | number | boolean> = {},
): Promise<string[]> {
  const answer = await client.get(`/v1/memories/search${query({ query: text, limit: 100, ...members })}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.results.map((item: { id: string }) => item.id);
}

/** Asks until the answer is as wanted; fails with the last answer after the deadline. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isDone: (answer: T) => boolean,
  withinMs = 15_000,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; ) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    if (Date.now() > deadline)
      throw new Error(`not so in time; the last answer was ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Expects a refusal with this status and machine code. */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
}

/** Where a refusal by validation says the fault is. */
export function faultyPlaces(answer: Answer): string[] {
  expectRefusal(answer, 422, "validation_failed");
  return [
    ...new Set<string>(answer.body.detail.map((issue: { loc: (string | number)[] }) => issue.loc.join("."))),
  ];
}
