import { expenseAnswer, expenseRequest } from "./ledger.ts";
import { operation } from "./operation.ts";

export const addExpense = operation({
  name: "addExpense",
  summary: "Write an expense into the ledger",
  description:
    "Kept as a memory of the bucket ledger and the type expense, with the amount as an exact decimal of its currency in metadata. Two equal expenses are two; an Idempotency-Key makes a retry safe. It is read, corrected and forgotten as any other memory.",
  input: expenseRequest,
  output: expenseAnswer,
  errors: [
    "not_found",
    "role_forbidden",
    "quota_exceeded",
    "secret_detected",
    "payload_too_large",
    "unsupported_media_type",
  ],
  effect: "write",
  scopes: ["ledger:write"],
  rate: "write",
  http: { method: "POST", path: "/v1/ledger/expenses", status: 201 },
});
