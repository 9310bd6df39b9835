/**
 * What changes elsewhere, while somebody looks: one stream a tab, which goes on where it was when it was cut, and of what is
 * on screen asks again for what the changes bear on. A tab that nobody looks at has none: browsers have few connections to a
 * server, and would run out of them.
 */
import type { Query, QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { ChangeEvent } from "../../../src/contract/event.ts";
import { sessionQuery } from "./space.ts";
import { onSessionResumed, queryClient, tellSessionEnd, trpc } from "./trpc.ts";

/** The server says something every five seconds: after so long without a word the stream is dead. */
const SILENCE_MS = 12_000;
/** A glance at another tab ends nothing. */
const HIDDEN_MS = 30_000;
const RECONNECT_MS = { first: 500, most: 10_000 };
/** What comes within a moment is one refresh; while more and more comes, refreshes become fewer. */
const GATHERED_MS = { first: 300, most: 8000 };

let isCut = false;
const listeners = new Set<() => void>();

function say(cut: boolean): void {
  if (cut === isCut) return;
  isCut = cut;
  for (const tell of listeners) tell();
}

/** False while the stream is down: what is on screen may be out of date. */
export function useIsLive(): boolean {
  return !useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => isCut,
  );
}

/** Follows what changes until the returned function is called. */
export function followChanges(): () => void {
  const over = new AbortController();
  const { signal } = over;
  const refresh = createRefresh(queryClient, signal);
  let connection = new AbortController();
  let hidden: ReturnType<typeof setTimeout> | undefined;
  /** Where the stream was; null: it begins with what comes next. */
  let after: string | null = null;
  let isFirst = true;
  let wake = () => {};

  const nextChange = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const until = (isSo: () => boolean) =>
    (async () => {
      while (!isSo() && !signal.aborted) await nextChange(60_000);
    })();

  let isAway = document.visibilityState === "hidden";
  let isSignedOut = false;
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.visibilityState === "hidden") {
      hidden = setTimeout(() => {
        isAway = true;
        connection.abort();
      }, HIDDEN_MS);
      return;
    }
    isAway = false;
    wake();
  };
  const onOnline = () => wake();
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("online", onOnline);
  const letGo = onSessionResumed(() => {
    isSignedOut = false;
    wake();
  });

  const take = (block: string) => {
    after = /^id: (.*)$/m.exec(block)?.[1] ?? after;
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data) refresh.add(JSON.parse(data) as ChangeEvent);
    say(false);
  };

  async function run(): Promise<void> {
    let pause = RECONNECT_MS.first;
    while (!signal.aborted) {
      await until(() => !isAway && !isSignedOut);
      if (signal.aborted) return;
      connection = new AbortController();
      const outcome = await readStream({ after, signal: AbortSignal.any([signal, connection.signal]), take });
      if (signal.aborted || isAway) continue;
      if (outcome.was === "signed-out") {
        isSignedOut = true;
        say(false);
        tellSessionEnd();
        continue;
      }
      if (outcome.was === "place-gone") {
        after = null;
        void queryClient.invalidateQueries();
        continue;
      }
      if (outcome.hasBegun) {
        pause = RECONNECT_MS.first;
        isFirst = false;
        // It ends so where a role was given or taken, too.
        if (outcome.was === "ended") void lookAtRoles();
      }
      say(true);
      await nextChange(outcome.retryMs ?? pause);
      // Without a place nothing is known of what happened meanwhile.
      if (after === null && !isFirst) void queryClient.invalidateQueries();
      pause = Math.min(pause * 2, RECONNECT_MS.most);
    }
  }

  void run();
  return () => {
    over.abort();
    wake();
    clearTimeout(hidden);
    letGo();
    document.removeEventListener("visibilitychange", onVisibility);
    window.removeEventListener("online", onOnline);
    say(false);
  };
}

interface Outcome {
  readonly was: "ended" | "cut" | "refused" | "signed-out" | "place-gone";
  readonly hasBegun: boolean;
  readonly retryMs?: number;
}

interface Reading {
  readonly after: string | null;
  readonly signal: AbortSignal;
  readonly take: (block: string) => void;
}

/** Reads one stream to its end. Never rejects: however it ends, it is to be opened again. */
async function readStream({ after, signal, take }: Reading): Promise<Outcome> {
  let hasBegun = false;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    heard();
    const response = await fetch("/trpc/changes", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(after === null ? {} : { after }),
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 401) return { was: "signed-out", hasBegun };
    if (response.status === 404 || response.status === 410 || response.status === 422)
      return { was: after === null ? "refused" : "place-gone", hasBegun };
    if (!response.ok || response.body === null) {
      const seconds = Number(response.headers.get("retry-after"));
      return { was: "refused", hasBegun, ...(seconds > 0 && { retryMs: seconds * 1000 }) };
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return { was: "ended", hasBegun };
      heard();
      text += value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      hasBegun ||= blocks.length > 0;
      for (const block of blocks) take(block);
    }
  } catch {
    return { was: "cut", hasBegun };
  } finally {
    clearTimeout(timer);
  }
}

/** Everything is asked for again where the person may now see more, or less, than before. */
async function lookAtRoles(): Promise<void> {
  const { queryKey } = sessionQuery();
  const before = JSON.stringify(queryClient.getQueryData(queryKey));
  const now = await queryClient.fetchQuery({ ...sessionQuery(), staleTime: 0 }).catch(() => null);
  if (now !== null && JSON.stringify(now) !== before) await queryClient.invalidateQueries();
}

/** What shows memories, todos or decisions, and is asked for again when one of them changes. */
const SHOWING: Readonly<Record<ChangeEvent["data"]["subject"], readonly string[]>> = {
  memory: [
    "listMemories",
    "browsePaths",
    "memoryFacets",
    "getMemory",
    "listVersions",
    "memoryRelations",
    "projectContext",
    "listMaintenanceRuns",
    "listProjects",
    "attention",
  ],
  todo: ["attention", "listTodos", "projectContext", "listProjects"],
  decision: ["listDecisions", "projectContext", "listProjects"],
  alert: ["alerts"],
};
/** Searches cost the service something: only one that shows what has changed is made again. */
const FOUND = ["searchMemories"];

function concerns({ queryKey, state }: Query, { data }: ChangeEvent): boolean {
  const [path, { input = {} } = {}] = queryKey as [unknown, { input?: Record<string, unknown> }?];
  if (!Array.isArray(path)) return false;
  const name = path.join(".");
  if (FOUND.includes(name)) {
    const { results = [] } = (state.data ?? {}) as { results?: readonly { readonly id: string }[] };
    return results.some(({ id }) => id === data.id);
  }
  if (!SHOWING[data.subject].includes(name)) return false;
  if (input.memory_id !== undefined) return input.memory_id === data.id;
  if (input.project_id && input.project_id !== data.project_id) return false;
  return (input.team_id ?? null) === data.team_id;
}

function createRefresh(queries: QueryClient, signal: AbortSignal) {
  let gathered: ChangeEvent[] = [];
  let pause = GATHERED_MS.first;
  let isDue = false;
  const run = () => {
    isDue = false;
    if (signal.aborted) return;
    // What is shown before it is answered would be put back for a moment.
    if (queries.isMutating() > 0) return later(GATHERED_MS.first);
    if (gathered.length === 0) {
      pause = GATHERED_MS.first;
      return;
    }
    const events = gathered;
    gathered = [];
    void queries.invalidateQueries({
      predicate: (query) => events.some((event) => concerns(query, event)),
    });
    pause = Math.min(pause * 2, GATHERED_MS.most);
    later(pause);
  };
  const later = (ms: number) => {
    if (isDue) return;
    isDue = true;
    setTimeout(run, ms);
  };
  return {
    add(event: ChangeEvent) {
      gathered.push(event);
      later(GATHERED_MS.first);
    },
  };
}

/** Agents that wait are in no event: they are asked for now and then, while somebody looks. */
queryClient.setQueryDefaults(trpc.listAgents.pathKey(), { refetchInterval: 20_000 });
