import type { Ports } from "../ports.ts";
import { claimCodeOf, plainCode } from "./claim-code.ts";

/** The agent's claim code. It is derived each time and never stored. */
export async function claimCode(ports: Pick<Ports, "agents">, agentId: string): Promise<string> {
  return claimCodeOf(await ports.agents.claimSeed(agentId));
}

/** What a claim is looked up by, whatever the spelling of its code; null where it cannot be a code. */
export function claimHash({ hash }: Pick<Ports, "hash">, typed: string): string | null {
  const plain = plainCode(typed);
  return plain === null ? null : hash(plain);
}

/** Where its user approves the agent. */
export function bindUrl({ settings }: Pick<Ports, "settings">, code: string): string {
  return `${settings.publicUrl}/bind?code=${code}`;
}
