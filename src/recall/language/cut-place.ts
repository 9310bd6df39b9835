/** UTF-16 units. No writing system attaches more to one character; beyond this, a cut may separate them. */
const ATTACHED_LENGTH_MAX = 64;

/**
 * Returns the last place at or before `at` where a text may be cut: never inside a surrogate pair, nor before combining
 * marks, joiners, variation selectors or skin tones, up to `ATTACHED_LENGTH_MAX` of them.
 */
export function cutPlace(text: string, at: number): number {
  const last = Math.min(at, text.length);
  const least = Math.max(0, last - ATTACHED_LENGTH_MAX);
  for (let place = last; place > least; place--)
    if (place === text.length || isCharacterStart(text, place)) return place;
  if (least === 0) return 0;
  return isInsidePair(text, last) ? last - 1 : last;
}

/**
 * Like `cutPlace`, but always after `from`: a single character that extends beyond `at` is cut between its combining
 * marks.
 */
export function cutPlaceAfter(text: string, from: number, at: number): number {
  const place = cutPlace(text, at);
  if (place > from) return place;
  return isInsidePair(text, at) ? at - 1 : at;
}

function isCharacterStart(text: string, at: number): boolean {
  if (isInsidePair(text, at) || text.charCodeAt(at - 1) === 0x200d) return false;
  return !/^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u.test(text.slice(at, at + 2));
}

function isInsidePair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const unitBefore = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && unitBefore >= 0xd800 && unitBefore <= 0xdbff;
}
