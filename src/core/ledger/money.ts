import * as currencies from "dinero.js/currencies";
import { DECIMAL } from "../../contract/ledger.ts";
import { invalid } from "../error.ts";

/** Decimal digits by ISO 4217 currency. The two currencies that are divided by five have two digits, like most. */
const DIGITS: ReadonlyMap<string, number> = new Map(
  Object.values(currencies).map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
);

/** Number of decimal digits that a double always preserves. */
const DIGITS_OF_NUMBER = 15;

/** Where a request has an amount and its currency, for errors. */
interface Places {
  readonly amount: readonly string[];
  readonly currency: readonly string[];
}

/**
 * Normalises an amount: decimal text with exactly the currency's digits after the point, without a plus sign, leading
 * zeros or negative zero. Throws `validation_failed` for an unknown currency, and if the amount would have to be
 * rounded.
 */
export function exactAmount(amount: string | number, currency: string, places: Places): string {
  const digits = DIGITS.get(currency);
  if (digits === undefined) throw invalid(places.currency, "must be a currency of ISO 4217, such as EUR");
  const written = typeof amount === "string" ? amount : String(amount);
  if (!DECIMAL.test(written)) throw invalid(places.amount, "must be a decimal number such as 12.50");
  if (typeof amount === "number" && written.replaceAll(/\D/g, "").length > DIGITS_OF_NUMBER)
    throw invalid(places.amount, "has more digits than a JSON number keeps: send it as a string");
  const [whole = "0", fraction = ""] = written.replace("-", "").split(".");
  const given = /^\d*[1-9]/.exec(fraction)?.[0] ?? "";
  if (given.length > digits)
    throw invalid(places.amount, `must have at most ${digits} digits after the point`);
  const plain = digits === 0 ? whole : `${whole}.${given.padEnd(digits, "0")}`;
  return written.startsWith("-") && /[1-9]/.test(plain) ? `-${plain}` : plain;
}
