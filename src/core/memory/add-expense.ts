import { EXPENSE, type Expense, LEDGER } from "../ledger/expense.ts";
import { exactAmount } from "../ledger/money.ts";
import type { UseCase } from "../use-case.ts";
import { placeWithin } from "./place.ts";
import { storeMemory, type WritePorts } from "./remember.ts";

/**
 * Adds an expense to the ledger, always as a new memory. `validation_failed` for an amount with more decimals than its
 * currency has; otherwise the same errors as `storeMemory`.
 */
export const addExpense: UseCase<WritePorts, "addExpense"> = async (ports, caller, input) => {
  const { item, currency, category } = input;
  const amount = exactAmount(input.amount, currency, { amount: ["amount"], currency: ["currency"] });
  const date = input.date ?? new Date(ports.clock()).toISOString().slice(0, 10);
  const expense: Expense = { item, amount, currency, date, ...(category ? { category } : {}) };
  const {
    version: _,
    superseded: __,
    junk: ___,
    ...stored
  } = await storeMemory(ports, caller, {
    content: inWords(expense),
    path: input.path ?? placeWithin(caller, "ledger/expenses"),
    bucket: LEDGER,
    memory_type: EXPENSE,
    metadata: { ...expense, occurred_at: `${date}T00:00:00Z` },
    importance: 0.5,
    confidence: 1,
    source: input.source,
    scope: input.scope,
    team_id: input.team_id,
    project_id: input.project_id,
    provenance: input.provenance,
  });
  return { ...stored, status: "recorded", amount, currency, date };
};

/** The text that recall searches. */
function inWords({ item, amount, currency, date, category }: Expense): string {
  return `${item}: ${amount} ${currency}, ${date}${category === undefined ? "" : ` (${category})`}`;
}
