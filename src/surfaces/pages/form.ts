import type { z } from "zod";
import { text } from "../../contract/primitives.ts";
import { DomainError } from "../../core/error.ts";
import { readBytes } from "../rest/body.ts";

/** Far more than any form here holds. */
const BODY_BYTES_MAX = 64 * 1024;

/** The fields of a form. `unsupported_media_type`, `payload_too_large`, or `validation_failed` where it is not UTF-8. */
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

/** A field's value without the white space around it; null where it is missing, empty or cannot be stored. */
export function fieldOf(
  form: URLSearchParams,
  name: string,
  schema: z.ZodType<string> = field,
): string | null {
  const parsed = schema.safeParse(form.get(name)?.trim());
  return parsed.success ? parsed.data : null;
}

/** A password: as it was typed, white space and all. */
export function passwordOf(form: URLSearchParams): string | null {
  const parsed = text(1, 1024).safeParse(form.get("password"));
  return parsed.success ? parsed.data : null;
}

const codeField = text(1, 128);

/** A claim code as it was typed or followed. Whether there is a claim is another matter. */
export function codeOf(value: string | null): string | null {
  const parsed = codeField.safeParse(value?.trim());
  return parsed.success ? parsed.data : null;
}
