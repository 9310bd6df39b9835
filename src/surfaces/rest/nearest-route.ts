import { nearestWord } from "../../core/input/nearest-word.ts";

/** Routes with parameters at the same positions. Those segments are ignored in the comparison. */
interface Alike {
  /** Positions of the parameters in the path. */
  readonly places: readonly number[];
  readonly length: number;
  readonly paths: Map<string, string>;
}

const PARAMETER = /^\{.+\}$/;

/**
 * Creates a lookup of the path that an unknown path was probably meant to be; null if none is near. The
 * result has parameter names, so that nothing of the request is repeated.
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
  // Tie-break: the path with more literal segments wins.
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
  // Callers often omit the version prefix.
  return (given) => nearest(given) ?? nearest(`/v1${given}`);
}

function withoutPlaces(parts: readonly string[], places: readonly number[]): string {
  return parts.map((part, at) => (places.includes(at) ? "*" : part)).join("/");
}
