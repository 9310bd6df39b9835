import { expect } from "vitest";
import type { Service } from "../../src/compose/service.ts";
import type { Scope } from "../../src/contract/scope.ts";
import type { ConsentRequest } from "../../src/core/access/oauth.ts";
import { fromNowhere, PASSWORD, withCookies } from "./server.ts";

/** What a person does in a browser: signs in where asked, and consents to what it is told. */
export interface Browser {
  readonly headers: Headers;
  /** Follows the client's wish as far as it goes: to the client's own address, or to a page of the service. */
  visit(address: URL | string): Promise<Visited>;
}

export interface Visited {
  readonly redirectTo: URL;
  /** What the consent page asked; null where there was none. */
  readonly asked: ConsentRequest | null;
}

export interface Person {
  readonly email?: string;
  readonly accept?: boolean;
  /** What the person leaves of the scopes asked for; all unless given. */
  readonly leaves?: readonly Scope[];
}

/** A browser without a session. */
export function browserOf(service: Service, person: Person = {}): Browser {
  const { email = "alice@example.com", accept = true, leaves } = person;
  let headers = new Headers();

  const visit = async (address: URL | string): Promise<Visited> => {
    const location = await locationOf(address, headers);
    if (location.pathname === "/sign-in") {
      const signed = await service.accounts.signIn(fromNowhere, email, PASSWORD);
      if ("refused" in signed) throw new Error(`The sign-in was refused: ${signed.refused}`);
      headers = withCookies(signed.cookies);
      return visit(new URL(location.searchParams.get("next") as string, location));
    }
    if (location.pathname !== "/oauth/consent") return { redirectTo: location, asked: null };
    const account = await service.accounts.signedIn(headers);
    if (!account) throw new Error("Nobody is signed in.");
    const query = location.search.slice(1);
    const asked = await service.oauth.consentRequest(account, query, headers);
    if (!asked) throw new Error("There is nothing to consent to.");
    const scopes = leaves ?? asked.scopes;
    const { redirectTo } = await service.oauth.decide(account, { query, accept, scopes }, headers);
    return { redirectTo: new URL(redirectTo), asked };
  };

  return {
    get headers() {
      return headers;
    },
    visit,
  };
}

/** Where the address redirects to. */
export async function locationOf(address: URL | string, headers: Headers = new Headers()): Promise<URL> {
  const answer = await fetch(address, { redirect: "manual", headers });
  expect({ status: answer.status, location: answer.headers.has("location") }).toEqual({
    status: 302,
    location: true,
  });
  return new URL(answer.headers.get("location") as string, address);
}
