/** Marks work that is awaited later, so that its failure is not reported as unhandled if the caller fails first. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
