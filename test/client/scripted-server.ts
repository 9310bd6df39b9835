import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What a server does with a request, the `number`th of all, from 0. */
export type Step = (request: Arrived, response: ServerResponse, number: number) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly arrived: readonly Arrived[];
}

/** A server that does what it is told; it goes with the test. */
export async function scriptedServer(step: Step): Promise<ScriptedServer> {
  const arrived: Arrived[] = [];
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, url, headers, body };
      arrived.push(request);
      step(request, outgoing, arrived.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}

/** Does the steps one after the other, and the last from then on. */
export function steps(...all: readonly Step[]): Step {
  return (request, response, number) => all[Math.min(number, all.length - 1)]?.(request, response, number);
}

export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

export const refuses = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  answers(status, { detail: `It is ${code}.`, code }, headers);

/** The connection breaks after some of the answer. */
export function cuts(status: number, body: string): Step {
  return (_, response) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": String(2 * body.length),
    });
    response.write(body, () => response.destroy());
  };
}

export const hangsUp: Step = (_, response) => void response.destroy();
/** No answer ever comes. */
export const saysNothing: Step = () => {};

async function bodyOf(stream: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const chunk of stream) text += String(chunk);
  } catch {
    // Who asked is gone.
  }
  return text;
}
