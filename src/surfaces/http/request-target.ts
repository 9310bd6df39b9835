/** The path and query of a request, without parsing its URL: every request would pay for that. */
export function targetOf({ url }: Request): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}
