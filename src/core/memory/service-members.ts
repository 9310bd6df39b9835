import { jsonObject } from "../../contract/primitives.ts";
import { partsOf, type ServiceMember, type SharedObject } from "../../contract/service-members.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * The object with what the service writes into it. Whoever wrote the rest loses none of it: where the service's own part
 * outgrows its room, lists that are written now lose their oldest entries, and then what stood in its members before goes,
 * the largest first.
 */
export function withServiceMembers<Name extends SharedObject>(
  name: Name,
  before: Members,
  written: { readonly [member in ServiceMember<Name>]?: unknown },
): Members {
  let next: Members = { ...before, ...written };
  for (;;) {
    const { service } = partsOf(name, next);
    if (jsonObject.safeParse(service).success) return next;
    next = shortened(next, longestOf(service, written));
  }
}

/** Which member gives way: a list that is written now, else the largest of those that are not. */
function longestOf(service: Members, written: Members): string {
  const lists = Object.keys(service).filter((name) => name in written && Array.isArray(service[name]));
  const others = Object.keys(service).filter((name) => !(name in written));
  const choice = lists.length > 0 ? lists : others.length > 0 ? others : Object.keys(service);
  const sizes = choice.map((name) => [name, JSON.stringify(service[name]).length] as const);
  return sizes.reduce((longest, next) => (next[1] > longest[1] ? next : longest))[0];
}

function shortened(object: Members, name: string): Members {
  const value = object[name];
  if (Array.isArray(value) && value.length > 1) return { ...object, [name]: value.slice(1) };
  const { [name]: _, ...others } = object;
  return others;
}
