import type { SignInRequest } from "../../core/access/accounts.ts";
import { networkOf } from "../http/address.ts";
import type { Visit } from "./visit.ts";

/** What an attempt to sign in is counted by, besides the account. */
export function attemptOf({ request, address }: Visit): SignInRequest {
  return { headers: request.headers, address: networkOf(address) };
}
