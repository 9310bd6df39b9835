import type { Finding } from "../../core/secrets/secret-scanner.ts";

const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/;

/** A text as people see it: characters without width are left out, so that they hide no secret. */
export interface VisibleText {
  readonly text: string;
  /** The same finding in the text as it is. */
  inOriginal(finding: Finding): Finding;
}

export function visibleText(original: string): VisibleText {
  if (!INVISIBLE.test(original)) return { text: original, inOriginal: (finding) => finding };
  let text = "";
  const positions: number[] = [];
  for (let position = 0; position < original.length; position += 1) {
    const unit = original[position] as string;
    if (INVISIBLE.test(unit)) continue;
    text += unit;
    positions.push(position);
  }
  const at = (index: number) => positions[index] as number;
  return {
    text,
    inOriginal: ({ kind, start, end }) => ({ kind, start: at(start), end: at(end - 1) + 1 }),
  };
}
