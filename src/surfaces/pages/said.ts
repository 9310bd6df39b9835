import { type Html, html } from "../http/html.ts";

/** Controls, line breaks, text direction and what takes no room: nothing that belongs into a name. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/**
 * Words of somebody we do not know, as they may stand in a page: what cannot be seen is made visible as `�`, and the
 * direction of the text ends with it.
 */
export function said(words: string): Html {
  return html`<bdi class="said">${words.replace(INVISIBLE, "\ufffd")}</bdi>`;
}
