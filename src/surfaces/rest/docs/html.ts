import { type Html, html } from "../../http/html.ts";

export { Html, html } from "../../http/html.ts";

/** Paragraphs and `code`, the only marks that the contract's descriptions use. */
export function prose(text: string | undefined): Html[] {
  return (text ?? "")
    .split("\n\n")
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** A line with its `code` marked. */
export function inline(text: string): Html[] {
  return text.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}
