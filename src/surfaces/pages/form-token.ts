import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What a browser is told apart by before anybody has signed in: random, in a cookie no script reads. */
export function newBrowserId(): string {
  return randomBytes(32).toString("base64url");
}

/** True for what `newBrowserId` could have made. */
export function isBrowserId(value: string | null): value is string {
  return value !== null && /^[A-Za-z0-9_-]{43}$/.test(value);
}

/** Whose form it is: the browser, whose id changes with every sign-in and sign-out, and who is signed in. */
export interface FormHolder {
  readonly browserId: string;
  readonly accountId: string | null;
}

/** Tokens that only a form made for the same browser and the same person carries. */
export interface FormTokens {
  issue(holder: FormHolder): Promise<string>;
  isGenuine(token: string | null, holder: FormHolder): Promise<boolean>;
}

export function createFormTokens(key: () => Promise<Uint8Array>): FormTokens {
  // Asked for once; where that fails, again the next time.
  let known: Promise<Uint8Array> | null = null;
  const knownKey = () => {
    known ??= key().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
  const issue = async ({ browserId, accountId }: FormHolder) =>
    createHmac("sha256", await knownKey())
      .update(`${browserId} ${accountId ?? ""}`)
      .digest("base64url");
  return {
    issue,
    async isGenuine(token, holder) {
      const given = Buffer.from(token ?? "");
      const expected = Buffer.from(await issue(holder));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
