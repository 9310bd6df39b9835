/** What doctor says of a reranker. */
import { expect, test } from "vitest";
import { NO_DATABASE, recollectHere } from "../cli/cli.ts";
import { KEY, openRerankServer, settingsOf } from "./server.ts";

test("doctor says whether the reranker answers, and never its key", async () => {
  const server = await openRerankServer();
  const finding = async () => {
    const env = { ...NO_DATABASE, ...settingsOf(server), PORT: "0" };
    const { stdout } = await recollectHere(["doctor", "--json"], env);
    expect(stdout).not.toContain(KEY);
    const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
    return findings.find(({ check }) => check === "reranker");
  };
  expect(await finding()).toMatchObject({ status: "ok", found: "tei, answers" });
  server.behaviour.instead = (response) => response.writeHead(401).end();
  expect(await finding()).toMatchObject({
    status: "broken",
    found: "tei: The reranker answered with status 401: check its API key.",
    advice: expect.stringContaining("works without reranking"),
  });
});
