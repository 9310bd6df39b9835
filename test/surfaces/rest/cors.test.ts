import { describe, expect, test } from "vitest";
import { CLAIM_HEADERS } from "../../../src/surfaces/http/admission.ts";
import { world } from "./world.ts";

const ORIGIN = "https://app.example";
const open = () => world({ deps: { corsOrigins: [ORIGIN, "http://localhost:5173"] } });
const crossOrigin = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
const preflight = { origin: ORIGIN, "access-control-request-method": "POST" };

describe("without origins", () => {
  test("no page of another site may do anything", async () => {
    const { send } = world();
    const asked = await send("OPTIONS", "/v1/memories", { key: null, headers: preflight });
    expect([asked.status, crossOrigin(asked)]).toEqual([405, []]);
    const got = await send("GET", "/v1/memories", { headers: { origin: ORIGIN } });
    expect([got.status, crossOrigin(got), got.headers.get("vary")]).toEqual([403, [], null]);
  });
});

describe("with origins", () => {
  test("a browser that asks first is told what their pages may send", async () => {
    const response = await open().send("OPTIONS", "/v1/memories/m", { key: null, headers: preflight });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(response.headers.get("access-control-allow-methods")?.split(", ").sort()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "PATCH",
    ]);
    const allowed = response.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining([
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "x-api-key",
        ...Object.values(CLAIM_HEADERS),
      ]),
    );
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("vary")).toBe("Origin");
  });

  test.each([
    ["GET", "/v1/memories", 200],
    ["GET", "/v1/memories?limit=nonsense", 422],
    ["GET", "/v1/nowhere", 404],
    ["PUT", "/v1/memories", 405],
  ])("their pages may read the answer to %s %s (%i)", async (method, path, status) => {
    const response = await open().send(method, path, { headers: { origin: ORIGIN } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, ORIGIN]);
    const exposed = response.headers.get("access-control-expose-headers")?.toLowerCase().split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining([
        "etag",
        "retry-after",
        "x-request-id",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-recollect-ignored",
      ]),
    );
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test.each([
    "https://evil.example",
    "https://app.example.evil.example",
    "http://app.example",
    "null",
    "https://app.example:8443",
  ])("a page of %s may not", async (origin) => {
    const asked = await open().send("OPTIONS", "/v1/memories", {
      key: null,
      headers: { ...preflight, origin },
    });
    expect([asked.status, crossOrigin(asked), asked.headers.get("vary")]).toEqual([405, [], "Origin"]);
    const got = await open().send("GET", "/v1/memories", { headers: { origin } });
    expect([got.status, crossOrigin(got), got.headers.get("vary")]).toEqual([403, [], "Origin"]);
  });

  test.each(["/healthz", "/openapi.json", "/nowhere"])("nothing is said at %s", async (path) => {
    const response = await open().send("GET", path, { headers: { origin: ORIGIN } });
    expect(crossOrigin(response)).toEqual([]);
  });

  test("OPTIONS that is no preflight stays 405", async () => {
    const response = await open().send("OPTIONS", "/v1/memories", { headers: { origin: ORIGIN } });
    expect(response.status).toBe(405);
  });
});
