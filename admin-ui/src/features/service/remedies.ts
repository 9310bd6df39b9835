/** What each of the things that the service stands on is for, and what to do where it is not as it should be. */
export interface Remedy {
  readonly label: string;
  readonly isFor: string;
  readonly advice: string;
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  postgres: {
    label: "Database",
    isFor: "keeps everything",
    advice:
      "Nothing can be written or recalled until it answers. Check that the database server is running and its disk is not full; the service then recovers by itself.",
  },
  elasticsearch: {
    label: "Search engine",
    isFor: "answers recall",
    advice:
      "Recall uses the index in memory, which is slower with many memories; nothing is lost. Check that Elasticsearch is running; waiting changes are sent when it is back.",
  },
  index: {
    label: "Index in memory",
    isFor: "answers recall",
    advice: "It is read from the database whenever it is needed. Restart the service if this stays.",
  },
  embedder: {
    label: "Embedder",
    isFor: "turns texts into vectors, so that recall can search by meaning",
    advice:
      "Until then, new memories are found by their words. Check that the provider answers and its key is valid; vectors are made when it is back.",
  },
  worker: {
    label: "Background work",
    isFor: "brings changes to the index",
    advice: "New memories are still found, but recall takes longer. The service's log says what is failing.",
  },
  reranker: {
    label: "Reranker",
    isFor: "reorders the best hits",
    advice: "Recall works without it. Check that its server answers.",
  },
  events: {
    label: "Events",
    isFor: "tells subscribers of changes",
    advice: "Webhooks and streams are late but lose nothing. The service's log says what is failing.",
  },
  disk: {
    label: "Disk",
    isFor: "holds the database",
    advice: "Free some space now: a full disk stops the database.",
  },
};

export function remedyFor(name: string): Remedy {
  return REMEDIES[name] ?? { label: name, isFor: "", advice: "The service's log says more about it." };
}
