/** The one way to the service: typed procedures, a deadline for each request, and what becomes of refusals. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, type TRPCClientError } from "@trpc/client";
import type { inferRouterOutputs } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "../../../src/surfaces/trpc/router.ts";

export type Outputs = inferRouterOutputs<AppRouter>;
export type Refusal = TRPCClientError<AppRouter>;

/** Nobody waits longer without a word. */
const DEADLINE_MS = 15_000;
/** For what reads every record of every workspace; the page says so meanwhile. */
const LONG_DEADLINE_MS = 180_000;
const deadlineOf = (url: RequestInfo | URL | string) =>
  String(url).includes("/eraseSubject") ? LONG_DEADLINE_MS : DEADLINE_MS;
const BATCH_MAX = 10;
const RETRIES_MAX = 2;

/** What went wrong with a call, as far as it can be known here. */
export function codeOf(error: unknown): string {
  const { data } = error as Partial<Refusal>;
  return data?.code ?? (isTimeout(error) ? "timed_out" : "unreachable");
}

export function requestIdOf(error: unknown): string | null {
  return (error as Partial<Refusal>).data?.requestId ?? null;
}

/** What took too long was waited for long enough. */
const isTimeout = (error: unknown) => ((error as Error).cause as Error | undefined)?.name === "TimeoutError";

function mayHelpToRetry(error: unknown): boolean {
  if (isTimeout(error)) return false;
  const status = (error as Partial<Refusal>).data?.httpStatus ?? 503;
  return status >= 500;
}

type Listener = (isOver: boolean) => void;
let listener: Listener = () => {};
/** Tells the shell when a request was refused because nobody is signed in. */
export function onSessionEnd(heard: Listener): () => void {
  listener = heard;
  return () => {
    listener = () => {};
  };
}

export function tellSessionEnd(): void {
  listener(true);
}

const resumed = new Set<() => void>();
/** Called when the person says that they have signed in again. */
export function onSessionResumed(heard: () => void): () => void {
  resumed.add(heard);
  return () => resumed.delete(heard);
}

export function tellSessionResumed(): void {
  for (const heard of resumed) heard();
}

const noticeSessionEnd = (error: unknown) => {
  if (codeOf(error) === "invalid_token") tellSessionEnd();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionEnd }),
  mutationCache: new MutationCache({ onError: noticeSessionEnd }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < RETRIES_MAX && mayHelpToRetry(error),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { retry: false },
  },
});

export const client = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: "/trpc",
      methodOverride: "POST",
      maxItems: BATCH_MAX,
      fetch: (url, options) => {
        const deadline = AbortSignal.timeout(deadlineOf(url));
        const given = options?.signal;
        const signal = given ? AbortSignal.any([given as AbortSignal, deadline]) : deadline;
        return fetch(url, { ...(options as RequestInit), signal });
      },
    }),
  ],
});

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
