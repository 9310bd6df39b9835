import { jsonObject } from "../../contract/primitives.ts";
import { partsOf, type ServiceMember, type SharedObject } from "../../contract/service-members.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Adds the service's members to a metadata or provenance object. The caller's own members are never dropped. If the
 * service's part becomes too large, lists written now lose their oldest entries first; then the service's earlier
 * members are dropped, the largest first.
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
    // The last entry is the new one, so it is always kept.
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

/** The order in which members are dropped: those not written now first, the larger ones first. */
function bySize(service: Members, written: Members): string[] {
  const order = (name: string) => (name in written ? 0 : 1 << 30) + JSON.stringify(service[name]).length;
  return Object.keys(service).sort((a, b) => order(b) - order(a));
}

/**
 * The largest count up to `max` that fits, by binary search: if a count fits, every smaller one must fit too. 0 is
 * assumed to fit.
 */
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
