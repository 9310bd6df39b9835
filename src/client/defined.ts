/** Without the members that are undefined: those say nothing, and must not stand over what does. */
export function defined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
