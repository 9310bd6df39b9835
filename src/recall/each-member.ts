/**
 * A function for each member of `T`; it returns null if the member has no effect. Every member must be present, so
 * adding one to `T` does not compile until the table handles it.
 */
export type MemberTable<T, Made> = {
  readonly [Member in keyof T]-?: (value: NonNullable<T[Member]>) => Made | null;
};

/** Applies a table to the given members, in the order of the table. Skips null and undefined. */
export function eachMember<T, Made>(values: T, table: MemberTable<T, Made>): Made[] {
  const made = <Member extends keyof T>(member: Member): Made | null => {
    const value = values[member];
    return value === null || value === undefined ? null : table[member](value);
  };
  return (Object.keys(table) as (keyof T)[]).map(made).filter((one) => one !== null);
}

/** The members in the order of their names, for a digest that does not depend on how the object was made. */
export function sortedEntries(members: object): [string, unknown][] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}
