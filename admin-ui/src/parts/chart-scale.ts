/** Where things are in a chart: round numbers for its axes, and the path of a line that has gaps. */

/** The ticks of an axis from 0 to at least `most`: at most four steps, each 1, 2 or 5 times a power of ten. */
export function ticksTo(most: number): number[] {
  if (!(most > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => most / size <= 4) ?? 10 * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** An SVG path through the values, with a gap for each null. A value between two gaps is a line of no length, which round ends draw as a dot. */
export function pathOf(
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const parts: string[] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    const place = `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    const isBegun = at > 0 && values[at - 1] !== null;
    parts.push(isBegun ? `L${place}` : `M${place}L${place}`);
  });
  return parts.join("");
}
