import { type OwnIndices, ownIndices } from "./elasticsearch.ts";

/** The indexes that a service can recall with: the settings that make it do so, and what must go with the service. */
const INDEXES: Readonly<Record<string, () => Pick<OwnIndices, "settings" | "remove">>> = {
  embedded: () => ({ settings: {}, remove: async () => {} }),
  elasticsearch: ownIndices,
};

/** The index that tests through the doors are run on. */
export const INDEX = process.env.RECOLLECT_INDEX ?? "embedded";

export function indexUnderTest(): Pick<OwnIndices, "settings" | "remove"> {
  const index = INDEXES[INDEX];
  if (index) return index();
  throw new Error(`RECOLLECT_INDEX must be one of ${Object.keys(INDEXES).join(", ")}, is ${INDEX}`);
}
