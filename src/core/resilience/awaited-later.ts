/** Work that is awaited later. Its failure is not reported as unhandled where the caller has failed before that. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
