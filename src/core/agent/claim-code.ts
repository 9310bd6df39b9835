import type { AgentPorts } from "./agent-store.ts";

/** Returns the agent's claim code, which is derived each time and never stored. */
export async function claimCode(ports: Pick<AgentPorts, "agents">, agentId: string): Promise<string> {
  return claimCodeOf(await ports.agents.claimSeed(agentId));
}

/** Returns the hash that a claim is looked up by, for any spelling of its code; null if it cannot be a code. */
export function claimHash({ hash }: Pick<AgentPorts, "hash">, typed: string): string | null {
  const plain = plainCode(typed);
  return plain === null ? null : hash(plain);
}

/** Returns the address at which a user approves the agent. */
export function bindUrl({ settings }: Pick<AgentPorts, "settings">, code: string): string {
  return `${settings.publicUrl}/bind?code=${code}`;
}

/** Crockford's alphabet: without I, L, O and U, which are easily misread. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 60 bits: too many to guess online, few enough to type. */
const CHARACTERS = 12;

/** Formats at least 60 bits, given as lower-case hexadecimal, as a claim code: XXXX-XXXX-XXXX. */
export function claimCodeOf(hex: string): string {
  let number = BigInt(`0x${hex.slice(0, (CHARACTERS * 5) / 4)}`);
  let code = "";
  for (let at = 0; at < CHARACTERS; at += 1) {
    code = ALPHABET.charAt(Number(number % 32n)) + code;
    number /= 32n;
  }
  return (code.match(/.{4}/g) as string[]).join("-");
}

/** Normalises a typed code, of any case and spacing, for hashing; null if it cannot be a code. */
export function plainCode(typed: string): string | null {
  if (typed.length > 64) return null;
  const plain = typed
    .toUpperCase()
    .replace(/[\s\-‐-―]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  const isCode = plain.length === CHARACTERS && [...plain].every((letter) => ALPHABET.includes(letter));
  return isCode ? plain : null;
}
