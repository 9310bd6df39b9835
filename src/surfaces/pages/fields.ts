import { type Html, html } from "../http/html.ts";

/** What a form says about itself where it was refused; a reader of the screen hears it first. */
export function alert(message: Html | string | null): Html | null {
  return message === null ? null : html`<div class="alert" role="alert"><p>${message}</p></div>`;
}

/** A text field with its label, and a hint below it. */
export function textField(field: {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly value?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Whether this is the field to fill in first, or again. */
  readonly isFirst?: boolean;
  /** Whether what was filled in was refused. */
  readonly isWrong?: boolean;
  /** Further attributes, such as `autocomplete`. */
  readonly attributes: Html;
}): Html {
  const { name, label, type = "text", value = "", hint, isRequired = true } = field;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}" ${field.attributes}${
      hint === undefined ? "" : html` aria-describedby="${name}-hint"`
    }${field.isWrong && html` aria-invalid="true"`}${isRequired && html` required`}${field.isFirst && html` autofocus`}>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

/** A box or a button to choose with, and what it means. */
export function choice(field: {
  readonly type: "checkbox" | "radio";
  readonly name: string;
  readonly value: string;
  readonly label: Html | string;
  readonly note?: Html | string | null;
  readonly isChosen: boolean;
}): Html {
  const { type, name, value, label, note = null, isChosen } = field;
  const id = `${name}-${value.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  return html`<div class="choice">
    <input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen && html` checked`}${
      note !== null && html` aria-describedby="${id}-note"`
    }>
    <div><label for="${id}">${label}</label>${note !== null && html`<p class="hint" id="${id}-note">${note}</p>`}</div>
  </div>`;
}
