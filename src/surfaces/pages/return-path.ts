/** Where a person goes who did not come from anywhere in particular. */
export const HOME = "/account";

const CHARACTERS_MAX = 8192;

/**
 * The path, with its query, that a person goes back to after signing in: the given one if it is a path of this service,
 * otherwise the account page. Never an address elsewhere, however it is spelt.
 */
export function returnPath(given: string | null): string {
  if (given === null || given.length > CHARACTERS_MAX) return HOME;
  // One slash and no second; no backslash, which browsers take for a slash; no white space, which they leave out.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(given)) return HOME;
  const here = "http://here.invalid";
  if (!URL.canParse(given, here)) return HOME;
  const url = new URL(given, here);
  return url.origin === here && !url.pathname.startsWith("//") ? url.pathname + url.search : HOME;
}

/** The sign-in page, which leads back to that path. */
export function signInPath(next: string): string {
  return next === HOME ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}
