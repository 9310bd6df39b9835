import { describe, expect, test } from "vitest";
import { accountOn, fromNowhere, PASSWORD, server, withCookies } from "./server.ts";

const from = (address: string) => ({ headers: new Headers(), address });

async function audited(service: Awaited<ReturnType<typeof server>>["service"]): Promise<string[]> {
  const rows = await service.sql`select operation, detail from audit_log order by id`;
  expect(JSON.stringify(rows)).not.toContain("@example.com");
  return rows.map(({ operation }) => operation as string).filter((name) => name !== "issue_credential");
}

describe("a session", () => {
  test("begins with the right password and ends with signing out", async () => {
    const { service } = await server();
    const account = await accountOn(service);
    const { accounts } = service;
    const signed = await accounts.signIn(fromNowhere, " Alice@Example.com ", PASSWORD);
    if ("refused" in signed) throw new Error(signed.refused);
    expect(signed.account).toEqual(account);
    const headers = withCookies(signed.cookies);
    expect(await accounts.signedIn(headers)).toEqual(account);

    const cleared = await accounts.signOut(headers);
    expect(cleared.join()).toMatch(/max-age=0/i);
    expect(await accounts.signedIn(headers)).toBe(null);
    expect(await accounts.signedIn(new Headers())).toBe(null);
    const forged = new Headers({ cookie: (headers.get("cookie") as string).replace(/.$/, "x") });
    expect(await accounts.signedIn(forged)).toBe(null);
    expect(await audited(service)).toEqual(["invite", "account_created", "sign_in", "sign_out"]);
  });

  test.each([
    ["http://127.0.0.1:8787", /^recollect\.session_token=/, false],
    ["https://memory.example", /^__Host-recollect\.session_token=/, true],
    ["http://memory.internal", /^recollect\.session_token=/, false],
  ])("at %s has a cookie that no script reads", async (publicUrl, name, isSecure) => {
    const { service } = await server({ publicUrl });
    await accountOn(service);
    const signed = await service.accounts.signIn(fromNowhere, "alice@example.com", PASSWORD);
    if ("refused" in signed) throw new Error(signed.refused);
    const cookie = signed.cookies.find((one) => one.includes("session_token")) as string;
    expect(cookie).toMatch(name);
    expect(cookie).toMatch(/; *HttpOnly/i);
    expect(cookie).toMatch(/; *SameSite=Lax/i);
    expect(cookie).toMatch(/; *Path=\//i);
    expect(/; *Secure/i.test(cookie)).toBe(isSecure);
  });
});

describe("a sign-in", () => {
  test("is refused alike for a wrong password and an unknown address", async () => {
    const { service } = await server();
    await accountOn(service);
    const refusal = { refused: "wrong_credentials" };
    const { accounts } = service;
    expect(await accounts.signIn(fromNowhere, "alice@example.com", "not the password")).toEqual(refusal);
    expect(await accounts.signIn(fromNowhere, "nobody@example.com", PASSWORD)).toEqual(refusal);
    expect(await accounts.signIn(fromNowhere, "no address", PASSWORD)).toEqual(refusal);
    // Only where there is such an account is there anybody to tell.
    expect(await audited(service)).toEqual(["invite", "account_created", "sign_in_refused"]);
  });

  test("is limited by account over all replicas, and then the right password does not help", async () => {
    const first = await server();
    const second = await server({ address: first.address, publicUrl: first.url });
    await accountOn(first.service);
    const attempts = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? first : second).service.accounts.signIn(
        from(`192.0.2.${index}`),
        "alice@example.com",
        "a guess",
      ),
    );
    const refusals = (await Promise.all(attempts)).map((one) => ("refused" in one ? one.refused : "none"));
    expect(refusals.filter((one) => one === "wrong_credentials")).toHaveLength(10);
    expect(refusals.filter((one) => one === "too_many_attempts")).toHaveLength(2);
    expect(await second.service.accounts.signIn(fromNowhere, "alice@example.com", PASSWORD)).toMatchObject({
      refused: "too_many_attempts",
      retryAfterSeconds: expect.any(Number),
    });
    await accountOn(first.service, "bob");
    const other = await first.service.accounts.signIn(fromNowhere, "bob@example.com", PASSWORD);
    expect(other).toHaveProperty("account");
  });

  test("is limited by address, whatever the request says of where it came from", async () => {
    const { service } = await server();
    await service.sql`
      insert into auth.attempts (key, window_start, count)
      select sha256('sign_in address 192.0.2.7'::bytea),
        date_bin('900 seconds', now(), timestamptz '2000-01-01 00:00:00+00') + n * interval '900 seconds', 50
      from generate_series(0, 1) n`;
    await accountOn(service);
    const headers = new Headers({ "x-forwarded-for": "203.0.113.9" });
    const signIn = (address: string) =>
      service.accounts.signIn({ headers, address }, "alice@example.com", PASSWORD);
    expect(await signIn("192.0.2.7")).toMatchObject({ refused: "too_many_attempts" });
    expect(await signIn("192.0.2.8")).toHaveProperty("account");
  });

  test("that succeeds begins the account's count anew", async () => {
    const { service } = await server();
    await accountOn(service);
    const attempt = (password: string) => service.accounts.signIn(fromNowhere, "alice@example.com", password);
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 9; count += 1)
        expect(await attempt("a guess")).toEqual({ refused: "wrong_credentials" });
      expect(await attempt(PASSWORD)).toHaveProperty("account");
    }
  });
});

describe("an invitation", () => {
  const alice = { email: "alice@example.com", password: PASSWORD };

  test("makes one account, signed in, and is used up", async () => {
    const { service } = await server();
    const { accounts, credentials } = service;
    const owner = await credentials.ensureOwner("user", "alice");
    const { secret, expiresAt } = await accounts.invite(owner);
    expect(await accounts.invitation(secret)).toEqual({ owner, expiresAt });
    const made = await accounts.accept(secret, fromNowhere, alice);
    if ("refused" in made) throw new Error(made.refused);
    expect(made.account).toMatchObject({ email: "alice@example.com", owner });
    expect(await accounts.signedIn(withCookies(made.cookies))).toEqual(made.account);

    expect(await accounts.invitation(secret)).toBe(null);
    expect(await accounts.accept(secret, fromNowhere, { ...alice, email: "b@example.com" })).toEqual({
      refused: "invitation_gone",
    });
    await expect(accounts.invite(owner)).rejects.toMatchObject({ code: "conflict" });
  });

  test("is not used up by what is refused", async () => {
    const { service } = await server();
    const { accounts, credentials } = service;
    await accountOn(service, "bob");
    const { secret } = await accounts.invite(await credentials.ensureOwner("user", "alice"));
    const accept = (more: Partial<typeof alice>) =>
      accounts.accept(secret, fromNowhere, { ...alice, ...more });
    expect(await accept({ email: "nowhere" })).toEqual({ refused: "invalid_email" });
    expect(await accept({ password: "short" })).toEqual({ refused: "weak_password" });
    expect(await accept({ email: "BOB@example.com" })).toEqual({ refused: "email_taken" });
    expect(await accept({})).toHaveProperty("account");
  });

  test("is gone when it has expired, or was never there", async () => {
    const { service } = await server();
    const { accounts, credentials } = service;
    const { secret } = await accounts.invite(await credentials.ensureOwner("user", "alice"));
    await service.sql`update auth.invitations set expires_at = now()`;
    expect(await accounts.invitation(secret)).toBe(null);
    expect(await accounts.accept(secret, fromNowhere, alice)).toEqual({ refused: "invitation_gone" });
    expect(await accounts.accept("nothing", fromNowhere, alice)).toEqual({ refused: "invitation_gone" });
  });

  test("makes one account of two who use it at once, and one of two invitations", async () => {
    const { service } = await server();
    const { accounts, credentials } = service;
    const owner = await credentials.ensureOwner("user", "alice");
    const { secret } = await accounts.invite(owner);
    const other = await accounts.invite(owner);
    const answers = await Promise.all(
      [secret, secret, other.secret].map((one, index) =>
        accounts
          .accept(one, fromNowhere, { ...alice, email: `alice${index}@example.com` })
          .then((answer) => "account" in answer)
          .catch(() => false),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const [row] = await service.sql`select count(*) as users from auth."user"`;
    expect(row?.users).toBe(1);
  });

  test("is for users, and its secret is nowhere in the database", async () => {
    const { service } = await server();
    const team = await service.credentials.ensureOwner("team", "crew");
    await expect(service.accounts.invite(team)).rejects.toMatchObject({ code: "conflict" });
    const { secret } = await service.accounts.invite(await service.credentials.ensureOwner("user", "alice"));
    const rows = await service.sql`select i::text as text from auth.invitations i`;
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});
