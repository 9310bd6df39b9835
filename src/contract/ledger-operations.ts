import { expenseAnswer, expenseRequest } from "./ledger.ts";
import { spaceOperation } from "./operation.ts";

export const addExpense = spaceOperation({
  name: "addExpense",
  summary: "Record an expense in the ledger",
  description:
    "Stored as a memory with the bucket ledger and the type expense; its metadata holds the amount as an exact decimal in its currency. Recording an equal expense adds a second one, so use an Idempotency-Key to retry safely. Read, correct and forget it like any other memory.",
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
