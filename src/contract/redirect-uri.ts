/** Redirect URIs that an OAuth client may register. */
import { text } from "./primitives.ts";

/** Allowed characters of a redirect URI: none that ends, or is invisible in, an attribute, a header or a line. */
const PRINTABLE = /^[\x21-\x7e]{1,2048}$/;
/**
 * An app's URI: a scheme, two slashes and a name; or a reversed domain and a path (RFC 8252, section 7.1). URIs that
 * run system commands mostly have neither form.
 */
const OF_AN_APP =
  /^(?:([a-z][a-z0-9+.-]{1,63}):\/\/[a-z0-9]|([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):\/(?!\/))[^#"<>\\^`{|}]*$/i;

/**
 * Schemes, other than reversed domains, of editors and assistants that connect to services like this one. Each of them
 * treats such a link as the end of a sign-in.
 */
const ASSISTANTS = new Set(
  `antigravity chatgpt cherrystudio claude codex cursor goose insomnia jan kiro librechat lmstudio opencode postman
  raycast trae vscode vscode-insiders vscodium warp windsurf windsurf-next zed`.split(/\s+/),
);

/** A reversed domain name, which RFC 8252 (section 7.1) recommends as the scheme of an app. */
const REVERSED_DOMAIN = /^[a-z]{2,}(?:\.[a-z0-9-]+)+$/;

/**
 * True if a scheme belongs to an app, so that a browser may be redirected to it. All other schemes are refused:
 * browsers and systems attach an open-ended set of actions to them (run, show, call, mount).
 */
export function isAppScheme(scheme: string): boolean {
  const name = scheme.toLowerCase();
  return ASSISTANTS.has(name) || REVERSED_DOMAIN.test(name);
}

/** True for a URI that a browser does not open itself but passes to the app registered for its scheme. */
export function isOfAnApp(address: string): boolean {
  return !/^https?:/i.test(address.trim());
}

/** True for an app's URI that a client may register, such as `cursor://publisher.extension/callback`. */
export function isAllowedApp(address: string): boolean {
  const parts = PRINTABLE.test(address) ? OF_AN_APP.exec(address) : null;
  const scheme = parts?.[1] ?? parts?.[2];
  if (scheme === undefined || !isAppScheme(scheme)) return false;
  return URL.canParse(address) && !/^[^/]*\/\/[^/?]*@/.test(address);
}

/** Plain http is allowed only to a program on the person's own machine. */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:[/?]|$)/i;

/** A redirect URI as stored in a registration. */
export const redirectUri = text(1, 2048).refine(
  (uri) =>
    URL.canParse(uri) &&
    !uri.includes("#") &&
    (isOfAnApp(uri) ? isAllowedApp(uri) : /^https:\/\//i.test(uri) || LOOPBACK.test(uri)),
  { error: "must be an https address, one on this machine, or an app's" },
);
