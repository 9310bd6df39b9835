/** A page as a test reads it. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where it leads, for a redirect. */
  readonly location: string | null;
  /** The token of its forms; "" where it has none. */
  readonly formToken: string;
}

/** A browser without an engine: it keeps cookies and follows nothing by itself. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  send(method: string, path: string, how?: Sending): Promise<Page>;
  get(path: string): Promise<Page>;
  /** Sends a form as a browser does that was shown a page of this service: same origin, with the token given. */
  post(path: string, fields: Record<string, string | readonly string[]>, how?: Sending): Promise<Page>;
  /** Opens a page, fills in its form and sends it. */
  submit(page: string, path: string, fields: Record<string, string | readonly string[]>): Promise<Page>;
}

export interface Sending {
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
}

/** What a browser adds to a form of ours: our pages send no referrer, so the origin is `null`. */
export const SAME_ORIGIN = { origin: "null", "sec-fetch-site": "same-origin" };

export function createVisitor(base: string, exchange: (request: Request) => Promise<Response>): Visitor {
  const cookies = new Map<string, string>();
  const visitor: Visitor = {
    cookies,
    async send(method, path, { headers = {}, body } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await exchange(
        new Request(base + path, {
          method,
          redirect: "manual",
          headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
          ...(body === undefined ? {} : { body }),
        }),
      );
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      const html = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        html,
        location: response.headers.get("location"),
        formToken: /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? "",
      };
    },
    get: (path) => visitor.send("GET", path),
    post: (path, fields, { headers = {} } = {}) =>
      visitor.send("POST", path, {
        headers: { "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN, ...headers },
        body: encoded(fields),
      }),
    async submit(page, path, fields) {
      const { formToken } = await visitor.get(page);
      return visitor.post(path, { form_token: formToken, ...fields });
    },
  };
  return visitor;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const [name = "", ...value] = pair.split("=");
  const isOver = attributes.some((attribute) => /^max-age=0$/i.test(attribute));
  if (isOver) cookies.delete(name);
  else cookies.set(name, value.join("="));
}

function encoded(fields: Record<string, string | readonly string[]>): string {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value as string);
  }
  return form.toString();
}
