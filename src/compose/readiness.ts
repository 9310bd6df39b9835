/** What a probe waits for a dependency that does not answer. */
const WITHIN_MS = 2000;
/** A question that is as old as this is left to itself: the connection that it waits on may be dead, and another alive. */
const QUESTION_MS_MAX = 10_000;

/**
 * Whether a dependency answers a question, within two seconds; never rejects. Probes that come while a question waits,
 * wait for the same one: a dependency that hangs does not gather more of them.
 */
export function answersInTime(ask: () => Promise<unknown>): () => Promise<boolean> {
  let question: { readonly answer: Promise<boolean>; readonly since: number } | null = null;
  return () => {
    if (question === null || performance.now() - question.since > QUESTION_MS_MAX) {
      const asked = { answer: answered(ask), since: performance.now() };
      void asked.answer.then(() => {
        if (question === asked) question = null;
      });
      question = asked;
    }
    return withinTime(question.answer);
  };
}

async function answered(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}

async function withinTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS, false);
  });
  const isThere = await Promise.race([answer, late]);
  clearTimeout(timer);
  return isThere;
}
