import type { Random } from "../../../../test/support/random.ts";
import { Prose } from "../prose.ts";
import { RELATIONS, type Relation, valuesOf } from "../relations.ts";
import type { Subjects } from "../subjects.ts";

/** Something that an agent might send to be remembered. */
export interface Offer {
  readonly sort: string;
  readonly content: string;
  /** Whether it says something that no memory says yet. */
  readonly isNew: boolean;
}

/** A fact that is stored before anything is offered. */
export interface KnownFact {
  readonly relation: Relation;
  readonly subject: string;
  readonly content: string;
}

export function knownFact(subjects: Subjects, random: Random): KnownFact {
  const relation = random.pick(RELATIONS);
  const subject = subjects.one(relation.about);
  return { relation, subject, content: relation.state(subject, random.pick(relation.values)) };
}

/** What recall handed out: the text of a pack, and the fact's own item in it. */
export interface RecentAnswers {
  readonly contextText: string;
  readonly content: string;
}

/** Echoes of what recall handed out, and beside them what quotes it and adds something. */
export function echoes({ contextText, content }: RecentAnswers, random: Random): Offer[] {
  return [
    { sort: "echo: the whole pack", content: contextText, isNew: false },
    {
      sort: "echo: the pack without its heading",
      content: contextText.split("\n").slice(2).join("\n"),
      isNew: false,
    },
    { sort: "echo: an item, quoted", content: `> ${content}`, isNew: false },
    { sort: "echo: an item, introduced", content: `I recall: ${content}`, isNew: false },
    {
      sort: "new: an item, and a sentence more",
      content: `${content} ${new Prose(random).sentence()}`,
      isNew: true,
    },
  ];
}

export function nearRepetitions({ relation, subject, content }: KnownFact, random: Random): Offer[] {
  const other = valuesOf(relation, 2, random).find((value) => !content.includes(value)) ?? "";
  return [
    { sort: "repetition: word for word", content, isNew: false },
    { sort: "repetition: case", content: content.toLowerCase(), isNew: false },
    { sort: "repetition: white space", content: ` ${content.replaceAll(" ", "  ")}\n`, isNew: false },
    { sort: "repetition: punctuation", content: content.replace(/\.$/, "!"), isNew: false },
    { sort: "repetition: a word of courtesy", content: `By the way, ${content}`, isNew: false },
    { sort: "new: another value", content: relation.state(subject, other), isNew: true },
  ];
}

const TRIVIA =
  "ok|OK.|thanks!|Thank you.|yes|no|sure|great|hi|Hello!|👍|…|-|got it|Sounds good.|lol|done|k|hmm|Good morning".split(
    "|",
  );

/** Says nothing by itself; and beside it what is as short and says something. */
export function trivia(fact: KnownFact, random: Random): Offer[] {
  return [
    { sort: "trivial", content: random.pick(TRIVIA), isNew: false },
    { sort: "new: short", content: `Yes: ${fact.subject}, ${2 + random.below(900)} times.`, isNew: true },
  ];
}
