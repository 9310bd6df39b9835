import type { ExportedLine, LineOf } from "../../contract/transfer.ts";
import { DomainError } from "../error.ts";
import { wireName } from "../member-table.ts";
import { type Screened, type ScreenedMember, screen } from "../memory/screen.ts";
import { DECISION_MEMBERS, TODO_MEMBERS } from "../project/item-members.ts";
import type { Secrets } from "../secrets/secret-scanner.ts";
import type { ReadLine } from "./line.ts";

/** A line as the policy for secrets lets it in. */
export type ScreenedLine =
  | { readonly line: ExportedLine; readonly isMasked: boolean }
  | Extract<ReadLine, { readonly issues: unknown }>;

/**
 * Applies the policy for secrets to a line, its earlier versions, and what a todo or decision says. What was masked is
 * another memory than the request that made it asked for, so the hashes of that request go: they were made over the secret.
 */
export function screenLine(secrets: Secrets, read: ReadLine): ScreenedLine {
  if ("issues" in read) return read;
  try {
    if (read.line.kind === "memory") return screenMemory(secrets, read.line);
    if (read.line.kind === "versions") return screenVersions(secrets, read.line);
    return { line: read.line, isMasked: false };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { issues: [{ loc: [], msg: error.message, type: error.code }] };
  }
}

function screenMemory(secrets: Secrets, line: LineOf<"memory">): ScreenedLine {
  const whole = screen(secrets, line);
  const versions = line.versions.map((version) => screen(secrets, version));
  const item = line.item && screenItem(secrets, line.item);
  // A note of the trail may be as long as a resolution: some are one.
  const notes = line.trail.map(({ note }) => screen(secrets, { resolution: note }));
  if (![whole, ...versions, ...(item ? [item] : []), ...notes].some(isMasked))
    return { line, isMasked: false };
  return {
    line: {
      ...whole.input,
      versions: versions.map(({ input }) => input),
      item: item?.input ?? null,
      trail: line.trail.map((event, at) => ({ ...event, note: notes[at]?.input.resolution ?? null })),
      create_hash: null,
      dedupe_hash: undefined,
    },
    isMasked: true,
  };
}

function screenVersions(secrets: Secrets, line: LineOf<"versions">): ScreenedLine {
  const versions = line.versions.map((version) => screen(secrets, version));
  return {
    line: { ...line, versions: versions.map(({ input }) => input) },
    isMasked: versions.some(isMasked),
  };
}

type Item = NonNullable<LineOf<"memory">["item"]>;

/** Its words go under the names that its requests have for them. */
function screenItem(secrets: Secrets, item: Item): Pick<Screened<Item>, "input" | "masked"> {
  const names = Object.entries(item.kind === "todo" ? TODO_MEMBERS : DECISION_MEMBERS).flatMap(
    ([member, entry]) =>
      "screened" in entry && entry.screened !== null ? [[wireName(member, entry), entry.screened]] : [],
  ) as [keyof Item, ScreenedMember][];
  const { input, masked } = screen(
    secrets,
    Object.fromEntries(names.map(([name, asked]) => [asked, item[name]])),
  );
  const words = Object.fromEntries(names.map(([name, asked]) => [name, input[asked]]));
  return { input: { ...item, ...words }, masked };
}

function isMasked({ masked }: Pick<Screened<unknown>, "masked">): boolean {
  return masked.length > 0;
}
