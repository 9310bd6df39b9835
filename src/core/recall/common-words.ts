/** English words that carry no topic: they are neither counted nor weighted in a query. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did do does
  doing for from had has have having he her here him his how i if in into is it its me more most my no nor not
  of on only or other our out own s same she should so some such t than that the their them then there these
  they this those through to too until up very was we were what when where which while who whom why will with
  would you your`.split(/\s+/),
);

/** English words of conversation: rare enough in stored memories to look important, and seldom the topic. */
export const CHAT_WORDS: ReadonlySet<string> = new Set(
  `hi hello hey okay ok alright thanks thank please good great just really like got get going go need want let
  make know think right yes no yeah well now still back much one thing things way lot bit sure ready`.split(
    /\s+/,
  ),
);
