/** The exact sum of decimal numbers, with as many digits after the point as the one that has most. */
export function sumOf(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((amount) => amount.split(".")[1]?.length ?? 0));
  const total = amounts.reduce((sum, amount) => {
    const [whole = "0", rest = ""] = amount.split(".");
    return sum + BigInt(`${whole}${rest.padEnd(digits, "0")}`);
  }, 0n);
  const text = String(total < 0n ? -total : total).padStart(digits + 1, "0");
  const point = text.length - digits;
  return `${total < 0n ? "-" : ""}${text.slice(0, point)}${digits > 0 ? `.${text.slice(point)}` : ""}`;
}
