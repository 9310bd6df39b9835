import type { OwnerRef } from "../../contract/transfer.ts";

/** One text for one owner. */
export function ownerKey(owner: OwnerRef): string {
  return `${owner.kind}:${owner.name}`;
}
