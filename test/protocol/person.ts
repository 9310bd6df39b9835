import { createVisitor, type Page, type Visitor } from "../browser/support/visitor.ts";
import type { Server } from "./server.ts";

const PASSWORD = "correct horse battery staple";

/** Somebody with an account and a browser, who lets clients in. */
export interface Person {
  /** Follows a client's authorization request, allows what it asks for, and follows the answer to the client. */
  authorize(address: string): Promise<void>;
}

/** A person who was invited on the command line and set up an account in the browser. */
export async function invitedPerson({ url, recollect }: Server, name: string): Promise<Person> {
  const invitation = (await recollect("users", "invite", name)) as { url: string };
  const account = { email: `${name}@example.com`, password: PASSWORD };
  await setUp(createVisitor(url, fetch), new URL(invitation.url), account);
  // A browser of its own, so that the client's request leads through the sign-in.
  const browser = createVisitor(url, fetch);
  return {
    async authorize(address) {
      const consent = await signIn(browser, url, address, account);
      await fetch(await allow(browser, consent));
    },
  };
}

type Account = { readonly email: string; readonly password: string };

async function setUp(browser: Visitor, invitation: URL, account: Account): Promise<void> {
  const code = invitation.searchParams.get("code") ?? "";
  await browser.get(invitation.pathname + invitation.search);
  const made = await browser.submit(invitation.pathname, invitation.pathname, { code, ...account });
  locationOf(made, "The account");
}

/** The consent page that the client's request leads to, after the sign-in. */
async function signIn(browser: Visitor, base: string, address: string, account: Account): Promise<Page> {
  const pathOf = (location: string) => {
    const { origin, pathname, search } = new URL(location, base);
    if (origin !== base) throw new Error(`The service led to ${origin} before anybody consented.`);
    return pathname + search;
  };
  const door = pathOf(locationOf(await browser.get(pathOf(address)), "The authorization request"));
  const next = new URL(door, base).searchParams.get("next") ?? "";
  const signedIn = await browser.submit(door, "/sign-in", { next, ...account });
  const again = await browser.get(pathOf(locationOf(signedIn, "The sign-in")));
  return browser.get(pathOf(locationOf(again, "The authorization request, signed in,")));
}

/** Allows what is chosen on the page already; answers where that leads. */
async function allow(browser: Visitor, { html, formToken }: Page): Promise<string> {
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
  const chosen = inputs.filter((tag) => tag.includes('name="scope"') && / checked[ >]/.test(tag));
  const allowed = await browser.post("/oauth/consent", {
    form_token: formToken,
    query: inputValue(inputs.find((tag) => tag.includes('name="query"')) ?? ""),
    scope: chosen.map(inputValue),
    decision: "allow",
  });
  const onward = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(allowed.html)?.[1];
  if (onward === undefined) throw new Error(`The consent was answered with ${allowed.status}.`);
  return unescaped(onward);
}

function locationOf({ status, location }: Page, what: string): string {
  if (location === null) throw new Error(`${what} was answered with ${status} instead of a redirect.`);
  return location;
}

function inputValue(tag: string): string {
  return unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? "");
}
