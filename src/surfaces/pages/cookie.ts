/** A cookie of this surface. */
export interface Cookie {
  /** The value the browser sent, or null. */
  read(headers: Headers): string | null;
  /** The `Set-Cookie` value that keeps it, until the browser ends or for so many seconds. */
  keep(value: string, seconds?: number): string;
  /** The `Set-Cookie` value that ends it. */
  readonly end: string;
}

/**
 * A cookie that no script reads and that is sent with same-site requests and followed links only. Over https its name
 * has the prefix with which a browser takes it from this host alone.
 */
export function createCookie(name: string, publicUrl: string): Cookie {
  const isSecure = publicUrl.startsWith("https:");
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read(headers) {
      const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      const pair = pairs.find((one) => one.startsWith(`${fullName}=`));
      return pair === undefined ? null : decoded(pair.slice(fullName.length + 1));
    },
    keep: (value, seconds) =>
      `${fullName}=${encodeURIComponent(value)}; ${attributes}${seconds === undefined ? "" : `; Max-Age=${seconds}`}`,
    end: `${fullName}=; ${attributes}; Max-Age=0`,
  };
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
