import { createRandom, type Random } from "../../../../test/support/random.ts";

/** Memories about one subject, each of which names it, and questions about that subject. */
export interface BroadStore {
  readonly name: string;
  readonly contents: readonly string[];
  readonly questions: readonly string[];
}

export const SIZES = [8, 15, 30, 60, 120, 250, 500] as const;

/** Stores of every kind and size, in the order of `SIZES`. The same for the same seed. */
export function broadStores(seed: number, sizes: readonly number[] = SIZES): BroadStore[] {
  const random = createRandom(seed);
  return sizes.flatMap((size) =>
    KINDS.map(({ name, subjects, sentences, questions }) => {
      const subject = random.pick(subjects);
      return {
        name: `${name}-${size}`,
        contents: chosen(sentences(subject), size, random),
        questions: questions.map((question) => question.replaceAll("SUBJECT", subject)),
      };
    }),
  );
}

/** So many different ones, in a random order. */
function chosen(sentences: readonly string[], count: number, random: Random): string[] {
  const left = [...sentences];
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] as string);
}

/** Questions that no store has to do with. */
export const FOREIGN_QUESTIONS: readonly string[] = `What is the capital of Mongolia?
How tall is Mount Everest?
Tell me about the French Revolution.
Who painted the Mona Lisa?
How do I boil an egg?
What is photosynthesis?
Which planets have rings?
When did the Roman Empire fall?
Tell me about dinosaurs.
Who wrote Hamlet?
How are volcanoes formed?
What do whales eat?
Recommend a telescope for beginners.
How many moons does Jupiter have?
What causes earthquakes?
Summarise the plot of Moby Dick.
Why is the sky blue?
Who invented the printing press?
How do vaccines work?
Tell me about the Sahara.`.split("\n");

interface Kind {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly sentences: (subject: string) => string[];
  readonly questions: readonly string[];
}

const lines = (text: string) => text.split("\n");
const crossed = (
  ones: readonly string[],
  others: readonly string[],
  sentence: (one: string, other: string) => string,
) => ones.flatMap((one) => others.map((other) => sentence(one, other)));

const PARTS =
  "refund flow,webhook handler,ledger export,card vault,retry queue,fraud rules,invoice mailer,currency table,dispute form,settlement job,audit log,rate limiter,sandbox keys,payout batch,tax lookup,login page,search box,report builder,status page,image cache,import script,access list,backup job,alert rules,mobile view".split(
    ",",
  );
const STATES = lines(`was rewritten by Ines in spring
fails when the clock skews
needs two approvals before a deploy
is documented in the blue binder
runs nightly at three
costs forty dollars a month
was slow until we added an index
must stay on the old library
belongs to the Lisbon team
has no tests for time zones
was moved behind a flag
breaks if the disk is full
logs too much on Mondays
waits for a legal review
will be switched off in June
reads its limits from a table
was the cause of the March outage
keeps its keys for ninety days
has a runbook that nobody follows
sends mail in two languages`);

const ACTIVITIES =
  "likes,dislikes,has given up,is learning about,collects things to do with,writes a column on,once won a prize for,spends weekends on,taught a class on,reads a lot about,has strong opinions on,saves money for".split(
    ",",
  );
const INTERESTS =
  "oolong tea,rye bread,the cello,crime novels,tram tickets,night trains,half marathons,oil painting,chess openings,sailing boats,choir music,old radios,rabbits,walnuts,coriander,metric units,bird songs,cargo bikes,window seats,food banks,pharmacy exams,paper diaries,hiking poles,hearing aids,screen readers,mountain huts,map making,ceramic glazes,winter swimming,board games,tax law,bee keeping,wild herbs,pinhole cameras,street markets,typewriters,stage lights,rail passes,kite surfing,brass bands,folk tales,sign language".split(
    ",",
  );

const KINDS: readonly Kind[] = [
  {
    name: "service",
    subjects: ["payment service", "booking engine", "customer portal", "search cluster"],
    sentences: (subject) =>
      crossed(PARTS, STATES, (part, state) => `The ${part} of the ${subject} ${state}.`),
    questions: lines(`Tell me about the SUBJECT.
What do we know about the SUBJECT?
Summarise the SUBJECT for a new colleague.
I am starting work on the SUBJECT. What should I know?
What problems did the SUBJECT have?
Who worked on the SUBJECT?
Give me an overview of the SUBJECT.
Explain the SUBJECT to somebody who has never seen it.
What is going on with the SUBJECT?
Which decisions about the SUBJECT should a newcomer hear of?`),
  },
  {
    name: "person",
    subjects: ["Marta", "Jonas", "Priya", "Tomas"],
    sentences: (subject) => crossed(ACTIVITIES, INTERESTS, (does, what) => `${subject} ${does} ${what}.`),
    questions: lines(`Who is SUBJECT?
Tell me about SUBJECT.
What do you know about SUBJECT?
What should I give SUBJECT for her birthday?
Write a short bio of SUBJECT.
What are SUBJECT's hobbies?
What food should I avoid when cooking for SUBJECT?
Describe SUBJECT to a stranger.
What is SUBJECT like?
Plan an afternoon with SUBJECT.`),
  },
  {
    name: "user",
    subjects: ["user"],
    sentences: (subject) => crossed(ACTIVITIES, INTERESTS, (does, what) => `The ${subject} ${does} ${what}.`),
    questions: lines(`What do you know about the user?
Tell me about the user.
What are the user's hobbies?
What food should the user avoid?
What gift would please the user?
How should I write to the user?
Suggest a restaurant for the user.
Summarise the user's profile.
What matters to the user?
Plan a weekend trip for the user.`),
  },
];
