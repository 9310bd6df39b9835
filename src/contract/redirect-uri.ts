/** Addresses that an OAuth client may have its answers sent to. */
import { text } from "./primitives.ts";

/** Characters of a registered address: none that ends, or hides in, an attribute, a header or a line. */
const PRINTABLE = /^[\x21-\x7e]{1,2048}$/;
/**
 * A scheme and, as apps write it, a place behind two slashes; or a reversed domain and a path (RFC 8252, section 7.1).
 * Commands to the system mostly have neither.
 */
const OF_AN_APP =
  /^(?:([a-z][a-z0-9+.-]{1,63}):\/\/[a-z0-9]|([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):\/(?!\/))[^#"<>\\^`{|}]*$/i;

/**
 * Editors and assistants that connect to services like this one and take answers at a scheme that is no domain. Each
 * handles such a link as the end of a sign-in.
 */
const ASSISTANTS = new Set(
  `antigravity chatgpt cherrystudio claude codex cursor goose insomnia jan kiro librechat lmstudio opencode postman
  raycast trae vscode vscode-insiders vscodium warp windsurf windsurf-next zed`.split(/\s+/),
);

/** A domain that its owner has reversed, as RFC 8252 (section 7.1) has apps name their schemes. */
const REVERSED_DOMAIN = /^[a-z]{2,}(?:\.[a-z0-9-]+)+$/;

/**
 * True if a scheme is an app's own, so that a browser may be sent there with an answer. Whatever else a browser or a
 * system makes of a scheme (run, show, call, mount) is not known and grows, so that nothing else is allowed.
 */
export function isAppScheme(scheme: string): boolean {
  const name = scheme.toLowerCase();
  return ASSISTANTS.has(name) || REVERSED_DOMAIN.test(name);
}

/** True for an address that no browser opens itself, but hands to whichever app on the device takes that scheme. */
export function isOfAnApp(address: string): boolean {
  return !/^https?:/i.test(address.trim());
}

/** True for an address of an app that a client may have answers sent to, such as `cursor://publisher.extension/callback`. */
export function isAllowedApp(address: string): boolean {
  const parts = PRINTABLE.test(address) ? OF_AN_APP.exec(address) : null;
  const scheme = parts?.[1] ?? parts?.[2];
  if (scheme === undefined || !isAppScheme(scheme)) return false;
  return URL.canParse(address) && !/^[^/]*\/\/[^/?]*@/.test(address);
}

/** Plain http leads to a program on the person's own machine only. */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:[/?]|$)/i;

/** An address as a registration keeps it. */
export const redirectUri = text(1, 2048).refine(
  (uri) =>
    URL.canParse(uri) &&
    !uri.includes("#") &&
    (isOfAnApp(uri) ? isAllowedApp(uri) : /^https:\/\//i.test(uri) || LOOPBACK.test(uri)),
  { error: "must be an https address, one on this machine, or an app's" },
);
