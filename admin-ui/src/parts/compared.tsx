import { diffWordsWithSpace } from "diff";

/** Longer texts are compared by the eye: word by word it would take seconds. */
const COMPARED_CHARACTERS_MAX = 20_000;

/** A text, with what is new in it and what went since the one before. Large for what it is: load it when it is asked for. */
export function Compared({ text, before }: { readonly text: string; readonly before: string | null }) {
  if (before === null || text.length + before.length > COMPARED_CHARACTERS_MAX) return text;
  return diffWordsWithSpace(before, text).map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comparison never move
    if (part.added) return <ins key={at}>{part.value}</ins>;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comparison never move
    if (part.removed) return <del key={at}>{part.value}</del>;
    return part.value;
  });
}
