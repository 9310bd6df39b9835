/** A stream of events as a page reads it: block by block, over whatever connection. */
export interface ChangeBlock {
  readonly id: string;
  /** null: it only says how far the stream is. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at events of every kind
  readonly event: any;
}

export interface ChangeReader {
  /** The next block; null where the stream has ended or broken. */
  next(): Promise<ChangeBlock | null>;
  /** The next that tells of something. */
  told(): Promise<ChangeBlock | null>;
  end(): Promise<void>;
}

export function changesIn(response: Response): ChangeReader {
  const taken = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const words = new TextDecoder();
  let text = "";
  const reader: ChangeReader = {
    async next() {
      while (!text.includes("\n\n")) {
        const read = await taken.read().catch(() => null);
        if (read === null || read.done) return null;
        text += words.decode(read.value, { stream: true });
      }
      const [block = "", ...rest] = text.split("\n\n");
      text = rest.join("\n\n");
      const data = /^data: (.*)$/m.exec(block)?.[1];
      return { id: /^id: (.*)$/m.exec(block)?.[1] ?? "", event: data ? JSON.parse(data) : null };
    },
    async told() {
      for (;;) {
        const block = await reader.next();
        if (block === null || block.event !== null) return block;
      }
    },
    end: () => taken.cancel().catch(() => {}),
  };
  return reader;
}
