import { nearestWord } from "../../core/input/nearest-word.ts";

/** Routes whose parameters are at the same places, so that what is sent there can be left out of the comparison. */
interface Alike {
  /** The places of the parameters in the path. */
  readonly places: readonly number[];
  readonly length: number;
  readonly paths: Map<string, string>;
}

const PARAMETER = /^\{.+\}$/;

/**
 * Looks up the path that an address which does not exist was probably meant to be, as its documentation has it: its
 * parameters by name, so that nothing of the address is repeated. null where none is near.
 */
export function nearestRoute(paths: readonly string[]): (given: string) => string | null {
  const groups = new Map<string, Alike>();
  for (const path of paths) {
    const parts = path.split("/");
    const places = parts.flatMap((part, at) => (PARAMETER.test(part) ? [at] : []));
    const key = `${parts.length} ${places.join(",")}`;
    const group = groups.get(key) ?? { places, length: parts.length, paths: new Map() };
    group.paths.set(withoutPlaces(parts, places), path);
    groups.set(key, group);
  }
  // If two are equally near, the one with more literal segments wins.
  const inOrder = [...groups.values()].sort((a, b) => a.places.length - b.places.length);
  const nearest = (given: string): string | null => {
    const parts = given.split("/");
    for (const { places, length, paths: known } of inOrder) {
      if (parts.length !== length || places.some((at) => parts[at] === "")) continue;
      const meant = nearestWord(withoutPlaces(parts, places), [...known.keys()]);
      if (meant !== null) return known.get(meant) ?? null;
    }
    return null;
  };
  // Callers often leave out the version at the beginning.
  return (given) => nearest(given) ?? nearest(`/v1${given}`);
}

function withoutPlaces(parts: readonly string[], places: readonly number[]): string {
  return parts.map((part, at) => (places.includes(at) ? "*" : part)).join("/");
}
