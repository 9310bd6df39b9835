import { expect, test } from "vitest";
import { rawClient } from "./client.ts";
import { accountOn, PASSWORD, server } from "./server.ts";

/** A browser that fills in the one form of a page and keeps cookies. */
function formFiller(origin: string) {
  const cookies = new Map<string, string>();
  const send = async (address: URL, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(init.headers as Record<string, string>), cookie, accept: "text/html" };
    const answer = await fetch(address, { ...init, headers, redirect: "manual" });
    for (const one of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  /** Follows redirects to a page here, or to where they leave. */
  const open = async (address: URL): Promise<{ address: URL; html: string }> => {
    const answer = await send(address);
    const location = answer.headers.get("location");
    if (location === null) return { address, html: await answer.text() };
    return follow(new URL(location, address));
  };
  const follow = (next: URL) => (next.origin === origin ? open(next) : { address: next, html: "" });
  return {
    open,
    async submit(page: { address: URL; html: string }, filled: Record<string, string>) {
      const form = new URLSearchParams();
      const main = page.html.slice(page.html.indexOf("<main"));
      for (const [input] of main.matchAll(/<input[^>]*>/g)) {
        const name = /name="([^"]*)"/.exec(input)?.[1];
        const isChosen = !/type="(checkbox|radio)"/.test(input) || / checked/.test(input);
        if (name && isChosen) form.append(name, unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ""));
      }
      for (const [name, value] of Object.entries(filled)) form.set(name, value);
      const action = /<form[^>]*action="([^"]*)"/.exec(main)?.[1];
      const target = new URL(unescaped(action ?? page.address.href), page.address);
      const answer = await send(target, { method: "POST", body: form, headers: { origin } });
      // On the way to another origin there is a page with the address in it.
      const onward = /<main[\s\S]*<a class="button" href="([^"]*)"/.exec(await answer.text())?.[1];
      const location = answer.headers.get("location") ?? unescaped(onward ?? "");
      return follow(new URL(location, target));
    },
  };
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

test("a person signs in and consents on the pages, and the client is in", async () => {
  const { url, service } = await server();
  await accountOn(service);
  const client = await rawClient(url);
  const browser = formFiller(url);

  const signIn = await browser.open(client.authorization({ scope: "memory:read" }));
  expect(signIn.address.pathname).toBe("/sign-in");
  const consent = await browser.submit(signIn, { email: "alice@example.com", password: PASSWORD });
  expect(consent.address.pathname).toBe("/oauth/consent");
  expect(consent.html).toContain("Test client");
  const button = /<button[^>]*name="([^"]*)"[^>]*value="([^"]*)"/.exec(
    consent.html.slice(consent.html.indexOf("<main")),
  );
  const done = await browser.submit(consent, button ? { [button[1] as string]: button[2] as string } : {});
  expect(done.address.origin).toBe("http://127.0.0.1:7777");
  expect(done.address.searchParams.get("error")).toBe(null);
  const { body } = await client.exchange(done.address.searchParams.get("code") as string);
  expect(await service.oauth.authenticate(body.access_token)).toMatchObject({ scopes: ["memory:read"] });
});
