import type { Account } from "../../core/access/accounts.ts";
import type { Html } from "../http/html.ts";

/** A browser's request, with all that the surface found out about it before a page is asked. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  /** The client's network address; null where it is unknown. */
  readonly address: string | null;
  /** Who is signed in, if anybody. */
  readonly account: Account | null;
  /** What every form of this visit carries in `form_token`. */
  readonly formToken: string;
  /** The fields of a form that was sent, its token and origin checked; none for GET. */
  readonly form: URLSearchParams;
  readonly now: number;
}

/** A visit of somebody who is signed in. */
export interface SignedInVisit extends Visit {
  readonly account: Account;
}

/** A page to be shown. */
export interface PageReply {
  readonly status: number;
  readonly title: string;
  /** What stands in the page's main part. */
  readonly body: Html;
  /** What stands in the page's head besides the usual. */
  readonly head?: Html;
  /** Wide pages list things; narrow ones ask one question. */
  readonly isWide?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

/** Another page of this service, to be asked for with GET. */
export interface RedirectReply {
  readonly redirectTo: string;
  readonly cookies?: readonly string[];
  /** A new session began or one ended, so forms made before are no longer good. */
  readonly isOtherSession?: boolean;
}

export type Reply = PageReply | RedirectReply;

export type Handler = (visit: Visit) => Promise<Reply> | Reply;

/** What lives at one path. HEAD is GET's. */
export interface BrowserEndpoint {
  readonly path: string;
  readonly get?: Handler;
  readonly post?: Handler;
}
