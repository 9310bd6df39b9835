/** Addresses that an OAuth client may have its answers sent to. */
import { text } from "./primitives.ts";

/** What a registered address of an app may hold: nothing that ends, or hides in, an attribute, a header or a line. */
const PRINTABLE = /^[\x21-\x7e]{1,2048}$/;
/**
 * A scheme and, as apps write it, a place behind two slashes; or a reversed domain and a path (RFC 8252, section 7.1).
 * Commands to the system mostly have neither.
 */
const OF_AN_APP =
  /^(?:([a-z][a-z0-9+.-]{1,63}):\/\/[a-z0-9]|([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+):\/(?!\/))[^#"<>\\^`{|}]*$/i;

/** Schemes that browsers or systems have a meaning for: what they would run, show or send is not a client's answer. */
const MEANT_OTHERWISE = new Set(
  `about acap admin afp android-app apt attachment blob bookmark brave callto cap cid com content data dav dict
  dict-service dns dntp doi facetime facetime-audio feed file filesystem finger fish ftp ftps geo git gopher gtalk h323
  hcp help hxxp hxxps iax icap icon im imap imaps info intent ipp ipps irc irc6 ircs itms itms-apps itms-services jar
  javascript jms jnlp keyparc ldap ldaps livescript local lpr macappstore magnet mailto man market message mid mms mmst
  mocha modem msnim msrp mvn news nfs nntp opaquelocktoken pack payto pop pres printer proxy rdp res resource rlogin
  rmi rsync rtmp rtsp rtsps rtspu scp secondlife service session sftp sgn shell shttp sieve sip sips skype smb sms smsto
  smtp snews snmp soap ssh steam stun stuns svn tag teamspeak tel telnet tftp tip tn3270 turn turns tv udp urn uuid
  vbscript ventrilo view-source vnc vnd wais webcal wpid ws wss wtai wyciwyg xcon xmlrpc xmpp xri z39.50 zoommtg`.split(
    /\s+/,
  ),
);
/** Families of them: of browsers, and of Windows, where a link may start a tool of the system. */
const FAMILIES =
  /^(?:chrome|edge|mk|moz|ms-|microsoft|opera|safari|search|shell|vivaldi|web\+|windows|x-apple)/;

/** True for an address that no browser opens itself, but hands to whichever app on the device takes that scheme. */
export function isOfAnApp(address: string): boolean {
  return !/^https?:/i.test(address.trim());
}

/** True for an address of an app that a client may have answers sent to, such as `cursor://publisher.extension/callback`. */
export function isAllowedApp(address: string): boolean {
  const parts = PRINTABLE.test(address) ? OF_AN_APP.exec(address) : null;
  const scheme = (parts?.[1] ?? parts?.[2])?.toLowerCase();
  if (scheme === undefined || MEANT_OTHERWISE.has(scheme) || FAMILIES.test(scheme)) return false;
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
