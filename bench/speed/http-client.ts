import { connect, type Socket } from "node:net";

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * One connection that is kept alive, for one request at a time. It knows no more of HTTP than a closed loop against
 * one server needs, so that the load costs the machine little beside what it measures.
 */
export class HttpClient {
  readonly #socket: Socket;
  readonly #head: string;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | null = null;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    const { hostname, port, host } = new URL(url);
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#head = ` HTTP/1.1\r\n${lines.join("")}`;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on("data", (chunk) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error(`${host} closed the connection`)));
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
    this.#socket.destroy();
  }

  /** Rejects where the answer is no success: a bench of failures would be fast. */
  async #send(request: string): Promise<HttpAnswer> {
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new Error(`${request.split(" HTTP", 1)[0]} answered ${answer.status}: ${answer.body}`);
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
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}
