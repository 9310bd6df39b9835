/** What an incoming id may look like; anything else could break a log line or a header. */
const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/** The id a request is told apart by: the client's own where it is sane, otherwise a new one. */
export function requestIdOf(headers: Headers, newId: () => string): string {
  const named = headers.get("x-request-id");
  return named !== null && SANE.test(named) ? named : newId();
}
