import { jsonObject } from "../../contract/primitives.ts";
import { partsOf, type ServiceMember, type SharedObject } from "../../contract/service-members.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * The object with what the service writes into it. The caller's own part loses nothing: where the service's outgrows its
 * room, lists that are written now lose their oldest entries, and then what stood in its members before goes, the largest
 * first.
 */
export function withServiceMembers<Name extends SharedObject>(
  name: Name,
  before: Members,
  written: { readonly [member in ServiceMember<Name>]?: unknown },
): Members {
  const fits = (object: Members) => jsonObject.safeParse(partsOf(name, object).service).success;
  let next: Members = { ...before, ...written };
  if (fits(next)) return next;
  for (const [list, value] of Object.entries(written)) {
    if (!Array.isArray(value)) continue;
    const withLast = (count: number): Members => ({ ...next, [list]: value.slice(-count) });
    const count = mostThatFit(value.length, (some) => fits(withLast(some)));
    // The last is what is written now: it stays.
    next = withLast(Math.max(1, count));
    if (fits(next)) return next;
  }
  for (const member of bySize(partsOf(name, next).service, written)) {
    const { [member]: _, ...others } = next;
    next = others;
    if (fits(next)) return next;
  }
  return next;
}

/** Those that are not written now come first, and of each the largest. */
function bySize(service: Members, written: Members): string[] {
  const order = (name: string) => (name in written ? 0 : 1 << 30) + JSON.stringify(service[name]).length;
  return Object.keys(service).sort((a, b) => order(b) - order(a));
}

/** The largest count up to `max` that fits, where whatever fits does so with fewer as well. 0 is not tried. */
export function mostThatFit(max: number, fits: (count: number) => boolean): number {
  if (max === 0 || fits(max)) return max;
  let [low, high] = [0, max];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
