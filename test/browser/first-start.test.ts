import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { firstStart, welcome } from "../../src/compose/first-start.ts";
import { type Scope, scopes } from "../../src/contract/scope.ts";
import { openWorld } from "../support/world.ts";
import { PASSWORD } from "./support/people.ts";
import { createVisitor } from "./support/visitor.ts";

async function emptyWorld() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  return world;
}

const development = readConfig({ APP_ENV: "development" });

test("of servers that start at once on an empty database one makes the key and the way to its account", async () => {
  const { service, handle } = await emptyWorld();
  const starts = await Promise.all(Array.from({ length: 6 }, () => firstStart(development, service)));
  const [first, ...others] = starts.filter((start) => start !== null);
  expect(others).toEqual([]);
  expect(await service.credentials.list()).toHaveLength(1);
  const key = await service.credentials.authenticate(first?.key ?? "");
  expect(key).toMatchObject({ owner: { name: "local" } });
  // Acting for end users is given only to whoever asks for it.
  expect(Object.keys(scopes).filter((scope) => !key?.scopes.includes(scope as Scope))).toEqual(["users:act"]);
  expect(await firstStart(development, service)).toBeNull();

  const words = welcome("http://localhost", first as NonNullable<typeof first>);
  const link = /http:\/\/localhost(\/setup\?code=\S+)/.exec(words)?.[1] ?? "";
  const person = createVisitor("http://localhost", handle);
  await person.get(link);
  const page = await person.get("/setup");
  expect(page.html).toContain(`<bdi class="said">local</bdi>`);
  const code = new URLSearchParams(link.split("?")[1]).get("code") ?? "";
  const account = { code, email: "admin@example.com", password: PASSWORD, form_token: page.formToken };
  expect((await person.post("/setup", account)).location).toBe("/admin");
  expect((await person.get("/account")).html).toContain("admin@example.com");

  const late = createVisitor("http://localhost", handle);
  await late.get(link);
  expect((await late.get("/setup")).status).toBe(404);
});

test("in production nothing is made, and what to do is said", async () => {
  const { service } = await emptyWorld();
  const production = readConfig({ APP_ENV: "production" });
  await expect(firstStart(production, service)).rejects.toThrow("keys create --owner NAME");
  expect(await service.credentials.list()).toEqual([]);
});

test("the setup page asks again for what it cannot take", async () => {
  const { service, handle } = await emptyWorld();
  const owner = await service.credentials.ensureOwner("user", "ada");
  const { secret: code } = await service.accounts.invite(owner);
  const person = createVisitor("http://localhost", handle);
  await person.get(`/setup?code=${code}`);
  const attempt = async (email: string, password: string) => {
    const { status, html } = await person.submit("/setup", "/setup", { code, email, password });
    return [status, /role="alert"><p>([^<]*)/.exec(html)?.[1]];
  };
  expect(await attempt("nobody", PASSWORD)).toEqual([422, expect.stringContaining("not an e-mail address")]);
  expect(await attempt("ada@example.com", "short")).toEqual([
    422,
    expect.stringContaining("12 to 128 characters"),
  ]);
  expect(await attempt("ada@example.com", "")).toEqual([
    422,
    expect.stringContaining("12 to 128 characters"),
  ]);
  expect(await attempt("ada@example.com", PASSWORD)).toEqual([303, undefined]);
  expect(
    (
      await createVisitor("http://localhost", handle).submit("/sign-in", "/setup", {
        code,
        email: "eve@example.com",
        password: PASSWORD,
      })
    ).status,
  ).toBe(404);
});
