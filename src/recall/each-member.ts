/**
 * What is to be made of each member of `T`, null where it asks for nothing after all. Every member must be named: one that
 * is new to `T` does not compile until somebody has decided what becomes of it.
 */
export type MemberTable<T, Made> = {
  readonly [Member in keyof T]-?: (value: NonNullable<T[Member]>) => Made | null;
};

/** What a table makes of the members that are given, in the order of the table. Null and undefined ask for nothing. */
export function eachMember<T, Made>(values: T, table: MemberTable<T, Made>): Made[] {
  const made = <Member extends keyof T>(member: Member): Made | null => {
    const value = values[member];
    return value === null || value === undefined ? null : table[member](value);
  };
  return (Object.keys(table) as (keyof T)[]).map(made).filter((one) => one !== null);
}
