/** Less than the bound of a content, so that a masked secret still fits. */
const PART_MAX = 60_000;

/**
 * The text in parts that a memory can hold, one where it fits: cut after the last paragraph, line or word of the second half,
 * and within a word only where there is none. Joined they are the text.
 */
export function partsOfText(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > PART_MAX) {
    const at = cutOf(rest.slice(0, PART_MAX));
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

function cutOf(head: string): number {
  for (const mark of ["\n\n", "\n", " "]) {
    const at = head.lastIndexOf(mark);
    if (at >= head.length / 2) return at + mark.length;
  }
  const last = head.charCodeAt(head.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf ? head.length - 1 : head.length;
}
