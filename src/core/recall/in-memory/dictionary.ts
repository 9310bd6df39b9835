/** Small numbers for repeating strings. Null has the code −1. */
export class Dictionary {
  readonly values: string[] = [];
  #codes = new Map<string, number>();

  /** The code of a value, a new one if it was not seen before. */
  encode(value: string | null): number {
    if (value === null) return -1;
    let code = this.#codes.get(value);
    if (code === undefined) {
      code = this.values.length;
      this.values.push(value);
      this.#codes.set(value, code);
    }
    return code;
  }

  decode(code: number): string | null {
    return this.values[code] ?? null;
  }

  get bytes(): number {
    return this.values.reduce((bytes, value) => bytes + 80 + 2 * value.length, 0);
  }
}
