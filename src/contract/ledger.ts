import { z } from "zod";
import { describingFields, storeAnswer, writeRemarks } from "./memory.ts";
import { isInstant, jsonObject, label, path, projectId, publicId, text } from "./primitives.ts";

/** A decimal number in plain notation, with at most 12 digits before the point and 4 after it. */
export const DECIMAL = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,4})?$/;

const amount = z
  .union([
    z.string().regex(DECIMAL, {
      error: "must be a decimal number such as 12.50, of at most 12 digits before the point and 4 after it",
    }),
    z.number().gt(-1e12).lt(1e12),
  ])
  .meta({
    description:
      "Stored exactly. A string is taken as written, a number as JSON reads it, with at most 15 digits. Negative for a refund",
    examples: ["12.50"],
  });

const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, { error: "must be an ISO 4217 currency code, such as EUR" })
  .toUpperCase()
  .meta({ description: "An ISO 4217 currency code", examples: ["EUR"] });

const date = z.iso
  .date({ error: "must be a date such as 2026-01-31", abort: true })
  .refine((value) => isInstant(Date.parse(value)), { error: "must be in the years 1 to 9999" })
  .meta({ description: "The day of the expense. Default: today in UTC", examples: ["2026-01-31"] });

export const expenseRequest = z
  .object({
    item: text(1, 1024).meta({ description: "What the money was spent on", examples: ["Coffee beans"] }),
    amount,
    currency: currency.default("USD"),
    date: date.nullish(),
    category: label(64)
      .nullish()
      .meta({ examples: ["office"] }),
    path: path.nullish().meta({ description: "Default: ledger/expenses" }),
    source: describingFields.source.optional(),
    scope: describingFields.scope.optional(),
    team_id: describingFields.team_id.optional(),
    project_id: projectId.nullish(),
    provenance: jsonObject.nullish(),
  })
  .meta({ id: "ExpenseRequest" });

export const expenseAnswer = z
  .object({
    id: publicId.meta({ description: "The id of the memory that holds it" }),
    status: z.literal("recorded"),
    amount: z
      .string()
      .meta({ description: "As stored, with the number of decimals of its currency", examples: ["12.50"] }),
    currency: z.string(),
    date: z.string(),
    embedding: storeAnswer.shape.embedding,
    ...writeRemarks,
  })
  .meta({ id: "ExpenseAnswer" });
