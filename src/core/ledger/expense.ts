import { expenseRequest } from "../../contract/ledger.ts";
import { invalid } from "../error.ts";
import { exactAmount } from "./money.ts";

/** Path and type of expenses. */
export const LEDGER = "ledger";
export const EXPENSE = "expense";

/** An expense as metadata members. All are texts, so that filters can match them. */
export interface Expense {
  readonly item: string;
  readonly amount: string;
  readonly currency: string;
  readonly date: string;
  readonly category?: string;
}

const MONEY = { amount: ["metadata", "amount"], currency: ["metadata", "currency"] } as const;

/**
 * Refuses a ledger memory of type expense without an exact amount, by whatever operation it is written. Throws
 * `validation_failed` at the member of metadata.
 */
export function checkExpense(
  { bucket, memoryType }: { readonly bucket: string; readonly memoryType: string },
  metadata: Readonly<Record<string, unknown>>,
): void {
  if (bucket !== LEDGER || memoryType !== EXPENSE) return;
  const { amount, currency, date } = metadata;
  if (typeof currency !== "string")
    throw invalid(MONEY.currency, "must be a currency of ISO 4217, such as EUR");
  if (typeof amount !== "string" || exactAmount(amount, currency, MONEY) !== amount)
    throw invalid(MONEY.amount, "must be a string with the currency's digits after the point, such as 12.50");
  if (typeof date !== "string" || !expenseRequest.shape.date.safeParse(date).success)
    throw invalid(["metadata", "date"], "must be a date such as 2026-01-31");
}
