/** Forms: rendering fields, and reading them on submission. */

import { approvalWords, scopeNotes } from "../../contract/agent-approval.ts";
import { text } from "../../contract/primitives.ts";
import { includedInWrite, type Scope, scopeNamed, scopes } from "../../contract/scope.ts";
import { DomainError } from "../../core/error.ts";
import { readBytes } from "../http/body.ts";
import { type Html, html } from "../http/html.ts";

/** The hidden field of every form. A form without it is treated as another site's. */
export function tokenField({ formToken }: { readonly formToken: string }): Html {
  return html`<input type="hidden" name="form_token" value="${formToken}">`;
}

/** The reason why a form was not accepted. Screen readers announce it first. */
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
  /** True for the field to focus. */
  readonly isFirst?: boolean;
  /** True if the value was not accepted. */
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

/** A checkbox or a radio button, and what it means. */
export function optionField(field: {
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

/** Far more than any form here holds. */
const BODY_BYTES_MAX = 64 * 1024;

/**
 * Reads the fields of a form. Rejects with `unsupported_media_type`, `payload_too_large`, or `validation_failed` if it
 * is not UTF-8.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new DomainError("unsupported_media_type", "Only forms of these pages are read here.");
  }
  const bytes = await readBytes(request, BODY_BYTES_MAX);
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new DomainError("validation_failed", "The form is not valid.");
  }
}

const field = text(1, 16 * 1024);
const passwordField = text(1, 1024);
const codeField = text(1, 128);

/** Returns a field's trimmed value; null if it is missing, empty or cannot be stored. */
export function fieldOf(form: URLSearchParams, name: string): string | null {
  return field.safeParse(form.get(name)?.trim()).data ?? null;
}

/** Returns a password exactly as typed, including white space; null if it is missing, empty or too long. */
export function passwordOf(form: URLSearchParams): string | null {
  return passwordField.safeParse(form.get("password")).data ?? null;
}

/** Returns a code from a form or link; null if it is malformed. A well-formed code may still be unknown. */
export function codeOf(value: string | null): string | null {
  return codeField.safeParse(value?.trim()).data ?? null;
}

const isNarrow = (scope: Scope) => includedInWrite.includes(scope);

/** Renders the scopes to choose from, in words. Those included in writing are behind a disclosure. */
export function scopeChoice(offered: readonly Scope[], chosen: readonly Scope[]): Html {
  const isPart = (scope: Scope) => offered.includes("memory:write") && isNarrow(scope);
  const parts = offered.filter(isPart);
  return html`<fieldset>
    <legend>${approvalWords.may}</legend>
    ${offered.filter((scope) => !isPart(scope)).map((scope) => box(scope, chosen))}
    ${
      parts.length > 0 &&
      html`<details${parts.some((scope) => chosen.includes(scope)) && html` open`}>
      <summary>${approvalWords.narrowScopes}</summary>
      ${parts.map((scope) => box(scope, chosen))}
    </details>`
    }
  </fieldset>`;
}

function box(scope: Scope, chosen: readonly Scope[]): Html {
  return optionField({
    type: "checkbox",
    name: "scope",
    value: scope,
    label: scopes[scope],
    note: html`<code>${scope}</code>${scopeNotes[scope] && ` ${scopeNotes[scope]}`}`,
    isChosen: chosen.includes(scope),
  });
}

export function chosenScopes(form: URLSearchParams, offered: readonly Scope[]): Scope[] {
  const chosen = form.getAll("scope").map(scopeNamed);
  return offered.filter((scope) => chosen.includes(scope));
}

export function scopeList(granted: readonly Scope[]): Html {
  return html`<ul class="scopes">${granted.map((scope) => html`<li>${scopes[scope]}</li>`)}</ul>`;
}
