import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ErrorCode, helpAddress, type ValidationIssue } from "../../contract/error.ts";
import { quotedField } from "../../contract/own-words.ts";
import { withoutHidden } from "../../core/context/render.ts";
import { DomainError } from "../../core/error.ts";
import { KnownNames, namesOf } from "../../core/input/unknown-members.ts";
import { ANSWER_TOKENS_DEFAULT, fitAnswer, type LeftOut } from "../../recall/pack/fit-answer.ts";
import { errorBody } from "../http/error-response.ts";
import type { Tool } from "./tools.ts";

/**
 * Creates the result of a successful call: the answer as data, and as text for the model. Each stays within the
 * requested number of tokens, by default `ANSWER_TOKENS_DEFAULT`. `left_out` describes anything omitted. Neither has
 * characters that could hide text from the person who reads along.
 */
export async function success(tool: Tool, given: unknown, input: unknown): Promise<FittedResult> {
  const { presentation } = tool;
  const { page, rest } = presentation;
  const answer = tool.contentOf(given);
  const { content, text } = await fitAnswer({
    tokensMax: tokensAsked(answer),
    ...presentation.formsOf(answer, input),
    compose(fitted, left) {
      const shown = shownOf(page, fitted, answer);
      const next = shown?.length ? page?.cursorAfter?.(shown, input) : undefined;
      const goesOn = next === undefined ? {} : { next_cursor: next };
      const words = leftOutWords(left, [
        ...(next === undefined ? [] : [GO_ON]),
        ...(rest === null ? [] : [rest]),
      ]);
      const content = legible(
        words === null ? fitted : { ...(fitted as object), ...goesOn, left_out: words },
      );
      return { content, text: presentation.textOf(content, answer) };
    },
  });
  const isAskedAgain = page !== undefined && page.cursorAfter === undefined;
  const shown = isAskedAgain ? shownOf(page, content, answer)?.length : 0;
  return { result: result(text, content), pageLength: shown || null };
}

/** The value with all texts in it, names of members included, as a person would see them. */
function legible(value: unknown): unknown {
  if (typeof value === "string") return withoutHidden(value);
  if (Array.isArray(value)) return value.map(legible);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [withoutHidden(name), legible(member)]),
  );
}

const GO_ON = "Pass next_cursor as cursor for those that follow.";

/** Returns the entries of a page that are shown, as answered; null if all are. */
function shownOf(
  page: Tool["presentation"]["page"],
  fitted: unknown,
  answer: unknown,
): readonly unknown[] | null {
  const listIn = (value: unknown) =>
    page === undefined ? undefined : (value as Record<string, readonly unknown[] | undefined>)[page.list];
  const [all, shown] = [listIn(answer) ?? [], listIn(fitted) ?? []];
  return shown.length < all.length ? all.slice(0, shown.length) : null;
}

/** A result. `pageLength`: the number of entries with which its page would fit; null if no smaller page is needed. */
interface FittedResult {
  readonly result: CallToolResult;
  readonly pageLength: number | null;
}

/** Returns the token limit of an answer. A pack states its own in its budget. */
function tokensAsked(answer: unknown): number {
  const { budget } = answer as { budget?: { max_tokens?: number } };
  return budget?.max_tokens ?? ANSWER_TOKENS_DEFAULT;
}

/** Describes what was left out of an answer for lack of space, and how to get it; null if nothing was. */
function leftOutWords({ hasShortenedTexts, lists }: LeftOut, rest: readonly string[]): string | null {
  const counts = [...lists]
    .slice(0, LISTS_NAMED)
    .map(([name, { shown, of }]) => `${name}: the first ${shown} of ${of}.`);
  const texts = hasShortenedTexts ? ["Texts are shortened where they have …."] : [];
  const said = [...counts, ...texts];
  return said.length === 0 ? null : [...said, ...rest].join(" ");
}

const LISTS_NAMED = 5;

/**
 * Creates the result of a failed call: for the model, what happened and what to do about it; as data, REST's error body
 * with the address that REST sends as `Link: <…>; rel="help"`. Faults of the service reveal no internals.
 */
export function failure(error: unknown, request: FailedRequest): CallToolResult {
  const { text, body } = said(error, request);
  return { ...result(text, body), isError: true };
}

/** Creates the result of calling a tool that exists but is not in the connection's tool set. */
export function unlisted(name: string, more: string): CallToolResult {
  const detail = `The tool ${name} is not among those of this connection. ${more}`;
  return { ...result(`not_found: ${detail}`, { code: "not_found", detail }), isError: true };
}

/** Context of a reported error. */
interface FailedRequest {
  readonly requestId: string;
  readonly publicUrl: string;
}

/** Formats an error for a model: as text, and as REST's error body with the address of its explanation. */
export function said(
  error: unknown,
  { requestId, publicUrl }: FailedRequest,
): { readonly text: string; readonly body: object } {
  const { text, body } = explained(error, requestId);
  const help = helpAddress(publicUrl, body.code);
  return { text: `${text}\nMore about this error: ${help}`, body: { ...body, help } };
}

function explained(
  error: unknown,
  requestId: string,
): { readonly text: string; readonly body: { readonly code: ErrorCode } } {
  if (!(error instanceof DomainError)) {
    const detail = `Something went wrong on our side (request ${requestId}).`;
    const body = { code: "internal" as const, detail };
    return { text: `internal: ${detail} ${ADVICE.internal}`, body };
  }
  const { code, issues, message, retryAfterSeconds } = error;
  const wait =
    retryAfterSeconds === null ? [] : [`Wait ${Math.ceil(retryAfterSeconds)} seconds before you try again.`];
  // The issues of a failed validation make its message redundant.
  const happened = issues.length > 0 ? [] : [/[.!?]$/.test(message) ? message : `${message}.`];
  const text = [`${code}:`, ...happened, ...[ADVICE[code] ?? []].flat(), ...wait].join(" ");
  return { text: [text, ...issues.map(lineOf)].join("\n"), body: { ...errorBody(error), code } };
}

function result(text: string, structuredContent: unknown): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** Advice to the model for errors whose message has none. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  validation_failed: "Correct these arguments and call again:",
  invalid_token: "Ask the user to connect with a valid credential.",
  insufficient_scope: "Calling again will not help; ask the user for a credential that has this scope.",
  knowledge_scope_required: "Leave knowledge out, or ask the user for a credential that may read it.",
  role_forbidden: "Calling again will not help; ask the user.",
  not_found: "Check the id, or recall it again.",
  memory_id_conflict: "Give another memory_id, or none.",
  precondition_failed: "Read it again, then decide again.",
  invalid_transition: "Take one of the allowed steps, if it still makes sense.",
  already_accepted: "Choose another todo, or ask whoever has this one.",
  assigned_to_other: "Choose another todo.",
  dependency_incomplete: "Finish or cancel those first.",
  plan_changed: "Make a new plan and confirm that one.",
  overloaded: "Make fewer calls at the same time.",
  dependency_unavailable: "It may work again soon.",
  internal: "Try once more; if it fails again, go on without it and tell the user.",
};

/**
 * Describes an issue by its argument. Drops the first part of `loc`, the place in HTTP, which is irrelevant to tools.
 */
function lineOf({ loc: [, ...member], msg, type }: ValidationIssue): string {
  const isOurs = (name: string | number) => type !== "extra_forbidden" && MEMBER_NAME.test(String(name));
  const named = member.map((name) => (isOurs(name) ? name : quotedField(String(name), NAME_LENGTH_MAX)));
  return `- ${member.length > 0 ? named.join(".") : "arguments"}: ${msg}`;
}

/** Form of the contract's member names. Callers may send other names. */
const MEMBER_NAME = /^(?:[a-z][a-z_]{0,39}|\d+)$/;

/** Maximum number of unknown arguments to name; a longer list would not help a model. */
const NAMED_MAX = 10;
const NAME_LENGTH_MAX = 64;

/**
 * Refuses unknown arguments with `validation_failed`, naming them and the known ones, or the one that was probably
 * meant. Otherwise a model would never learn that a misspelt or invented argument has no effect. Members within
 * arguments are not checked: metadata and provenance are free-form.
 */
export function refuseUnknownArguments({ argumentNames }: Pick<Tool, "argumentNames">, input: unknown): void {
  const { misspelt, others } = new KnownNames(argumentNames).unknownOf(namesOf(input));
  const count = misspelt.length + others.length;
  if (count === 0) return;
  const more = count > NAMED_MAX ? ` (and ${count - NAMED_MAX} more)` : "";
  const takes = `${NO_ARGUMENT}, which takes ${argumentNames.join(", ")}`;
  const said = [
    ...[...misspelt, ...others.filter(({ meant }) => meant !== null)].map(({ name, meant }) => ({
      name,
      msg: `${NO_ARGUMENT}: did you mean ${meant}?`,
    })),
    // The list is long, so only the first issue has it.
    ...others
      .filter(({ meant }) => meant === null)
      .map(({ name }, at) => ({ name, msg: at === 0 ? takes : NO_ARGUMENT })),
  ];
  throw new DomainError("validation_failed", "The call has arguments that the tool does not know.", {
    issues: said.slice(0, NAMED_MAX).map(({ name, msg }, at) => ({
      loc: ["body", name.slice(0, NAME_LENGTH_MAX)],
      msg: at === 0 ? `${msg}${more}` : msg,
      type: "extra_forbidden",
    })),
  });
}

const NO_ARGUMENT = "is not an argument of this tool";
