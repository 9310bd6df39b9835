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
      "Nothing can be written or recalled until it answers. Look whether the database server runs and whether its disk is full; the service goes on by itself.",
  },
  elasticsearch: {
    label: "Search engine",
    isFor: "answers recall",
    advice:
      "Recall goes on by the index in memory, slower with many memories, and nothing is lost. Look whether Elasticsearch runs; what waits is sent when it is back.",
  },
  index: {
    label: "Index in memory",
    isFor: "answers recall",
    advice: "It is read from the database whenever it is needed. Restart the service if this stays.",
  },
  embedder: {
    label: "Embedder",
    isFor: "turns texts into vectors, so that recall finds by meaning",
    advice:
      "New memories are found by their words meanwhile. Look whether the provider answers and its key is still good; vectors are made when it is back.",
  },
  worker: {
    label: "Background work",
    isFor: "brings changes to the index",
    advice:
      "What was written is found all the same; it takes recall longer. The service's log says what fails.",
  },
  reranker: {
    label: "Reranker",
    isFor: "orders the best hits once more",
    advice: "Recall goes on without it. Look whether its server answers.",
  },
  events: {
    label: "Events",
    isFor: "tells subscribers of changes",
    advice: "Webhooks and streams are late and lose nothing. The service's log says what fails.",
  },
  disk: {
    label: "Disk",
    isFor: "holds the database",
    advice: "Make room now: a full disk stops the database.",
  },
};

export function remedyFor(name: string): Remedy {
  return REMEDIES[name] ?? { label: name, isFor: "", advice: "The service's log says more about it." };
}
