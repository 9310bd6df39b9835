/** A memory, or a membership, from one write to the next. */
export interface Span<T> {
  readonly value: T;
  /** When the write that began it was sent, and when it was answered. */
  readonly sentAt: number;
  answeredAt: number;
  /** The same of the write that ended it. */
  endSentAt: number;
  endAnsweredAt: number;
}

/** When a request was sent and answered. */
export interface Moment {
  readonly from: number;
  readonly to: number;
}

/** What was said of one thing over time. Between a write's sending and its answer it may be the old or the new. */
export class History<T> {
  readonly spans: Span<T>[] = [];

  /** The value that it has, or is about to have. */
  get latest(): T {
    return (this.spans.at(-1) as Span<T>).value;
  }

  /** To be called before a write is sent; the answer says when it was answered. */
  change(value: T, clock: Clock): () => void {
    const sentAt = clock.tick();
    const before = this.spans.at(-1);
    const span = { value, sentAt, answeredAt: Infinity, endSentAt: Infinity, endAnsweredAt: Infinity };
    if (before) before.endSentAt = sentAt;
    this.spans.push(span);
    return () => {
      span.answeredAt = clock.tick();
      if (before) before.endAnsweredAt = span.answeredAt;
    };
  }

  /** True where it had such a value, and no other, all the time. */
  surely({ from, to }: Moment, is: (value: T) => boolean): boolean {
    return this.spans.some(
      ({ value, answeredAt, endSentAt }) => answeredAt <= from && endSentAt >= to && is(value),
    );
  }

  /** True where it may have had such a value at some time. */
  possibly({ from, to }: Moment, is: (value: T) => boolean): boolean {
    return this.spans.some(
      ({ value, sentAt, endAnsweredAt }) => sentAt <= to && endAnsweredAt >= from && is(value),
    );
  }
}

/** Counts what happens: of two events the later has the higher number. */
export class Clock {
  #now = 0;

  tick(): number {
    this.#now += 1;
    return this.#now;
  }
}
