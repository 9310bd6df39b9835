/**
 * Whether a text names exactly this identifier, once or more: not as a part of a longer one. A sign joins where a letter or
 * digit follows or precedes it, so the full stop of a sentence ends an identifier and that of "config.yaml" does not.
 */
export function holds(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const before = text.slice(Math.max(0, at - 3), at);
    const after = text.slice(at + id.length, at + id.length + 3);
    if (
      !/(?:[\p{L}\p{N}_#+]|[\p{L}\p{N}][-./:@]{1,2})$/u.test(before) &&
      !/^(?:[\p{L}\p{N}_]|[-./:@]{1,2}[\p{L}\p{N}])/u.test(after)
    )
      return true;
  }
  return false;
}
