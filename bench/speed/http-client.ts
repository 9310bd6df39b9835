import { connect, type Socket } from "node:net";

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** A connection that was idle for longer is replaced: the other side may be about to close it. */
const IDLE_MS_MAX = 4000;
/** Whoever says nothing for so long will not answer any more. */
const SILENCE_MS_MAX = 300_000;

/**
 * One connection that is kept alive, for one request at a time. It knows no more of HTTP than a closed loop against
 * one server needs, so that the load costs the machine little beside what it measures.
 */
export class HttpClient {
  readonly #url: URL;
  readonly #head: string;
  #socket: Socket | null = null;
  #usedAt = 0;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | null = null;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = new URL(url);
    const lines = Object.entries({ host: this.#url.host, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.#head = ` HTTP/1.1\r\n${lines.join("")}`;
  }

  get(path: string): Promise<HttpAnswer> {
    return this.#send(`GET ${path}${this.#head}\r\n`);
  }

  post(path: string, body: unknown): Promise<HttpAnswer> {
    const json = JSON.stringify(body);
    const length = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n`;
    return this.#send(`POST ${path}${this.#head}${length}\r\n${json}`);
  }

  close(): void {
    this.#waiting = null;
    this.#socket?.destroy();
    this.#socket = null;
  }

  /** Rejects where the answer is no success: a bench of failures would be fast. */
  async #send(request: string): Promise<HttpAnswer> {
    const socket = this.#connected();
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      socket.write(request);
    });
    this.#usedAt = performance.now();
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new Error(`${request.split(" HTTP", 1)[0]} answered ${answer.status}: ${answer.body}`);
  }

  /** The connection there is, or another one where that was closed or is idle for long. */
  #connected(): Socket {
    if (this.#socket !== null && performance.now() - this.#usedAt < IDLE_MS_MAX) return this.#socket;
    this.close();
    this.#received = Buffer.alloc(0);
    const { hostname, port, host } = this.#url;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const failed = (error: Error) => {
      if (this.#socket === socket) this.#fail(error);
    };
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", failed);
    socket.on("close", () => failed(new Error(`${host} closed the connection`)));
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error(`${host} did not answer`)));
    this.#socket = socket;
    return socket;
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd === -1) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const bodyEnd = headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < bodyEnd) return;
    const body = this.#received.subarray(headEnd + 4, bodyEnd);
    this.#received = Buffer.alloc(0);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    this.#socket = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(error);
  }
}
