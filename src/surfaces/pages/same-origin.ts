import { hostOf } from "../http/host-guard.ts";

/**
 * True where a form was sent from a page of this service. Our pages send no referrer, and a browser then says
 * `Origin: null` and tells by `Sec-Fetch-Site` where the form was. What says nothing at all is refused.
 */
export function createOriginCheck(publicUrl: string): (request: Request) => boolean {
  const publicOrigin = new URL(publicUrl).origin;
  return (request) => {
    const isOurs = (address: string) => {
      if (!URL.canParse(address)) return false;
      const url = new URL(address);
      // Behind a proxy that ends TLS the request itself does not know the scheme, so its host is compared alone.
      return url.origin === publicOrigin || (isWeb(url) && url.host === hostOf(request));
    };
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== "null") return isOurs(origin);
    const site = request.headers.get("sec-fetch-site");
    if (site !== null) return site === "same-origin";
    const referrer = request.headers.get("referer");
    return referrer !== null && isOurs(referrer);
  };
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
