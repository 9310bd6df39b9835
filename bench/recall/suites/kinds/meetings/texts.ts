import { framesOf } from "../grammar.ts";

export const SLOTS = {
  person:
    "Anika;Bruno;Camila;Dmitri;Elsa;Farid;Gemma;Hugo;Ingrid;Kenji;Leila;Magnus;Nadia;Oscar;Paloma;Rufus;Selma;Tariq;Wanda;Yusuf",
  team: "Platform;Payments;Mobile;Research;Support;Design;Sales;Logistics;Security;Finance",
  project:
    "Project Heron;Project Basalt;Project Linden;Project Cobalt;Project Marlin;Project Saffron;Project Tundra;Project Quill;Project Ember;Project Juniper",
  item: "the vendor contract/the agreement with our supplier;the onboarding guide/the manual for newcomers;the pricing page/the page with our tariffs;the security audit/the check by the external assessors;the warehouse move/the change of storage site;the hiring plan/the list of roles to fill;the customer survey/the poll among clients;the retention policy/the rule on how long data are kept;the office lease/the rent of our premises;the training budget/the money for courses;the release calendar/the dates of our launches;the support rota/the roster of who answers tickets;the data room/the documents for investors;the travel policy/the rules for business trips;the logo refresh/the new look of our brand;the backup drill/the rehearsal of a restore;the spring conference/the big event in April;the referral scheme/the bonus for recommending candidates",
  date: "3 March;9 March;17 March;24 March;2 April;11 April;19 April;28 April;6 May;15 May;22 May;30 May;8 June;18 June;27 June",
  option:
    "Hamburg/the northern site;a four-day pilot/a short trial;fixed prices/no variable charges;an outside agency/help from another company;monthly billing/a bill each month;the open-source tool/the free software;a phased rollout/one group after another;two smaller rooms/more than one space;a single vendor/just one supplier;an in-house build/making it ourselves;annual prepayment/money up front;a public tender/open bidding",
  reason:
    "the auditors asked for it;it saves a month;nobody has time for more before summer;the other offer lacked a guarantee;customers find it easier;the current terms expire;it needs no extra staff;the board prefers it",
  task: "draft the letter/write the message;call the landlord/phone the owner;collect three quotes/get offers;update the slides/revise the presentation;book the venue/reserve the hall;order the badges/get name tags;send the minutes/share the record;test the fallback/try the spare way;interview two candidates/talk to applicants;clean the mailing list/tidy the addresses;translate the leaflet/put the flyer into other languages;check the insurance/verify that we are covered",
  topic:
    "lunch menu;parking;desk booking;the coffee machine;summer party;visitor badges;meeting room screens;bike racks;the newsletter;holiday cover",
} as const;

/** Decisions and action items: one line of a note each. */
export const FRAMES = framesOf(
  `
Decision: {item} goes with {option}, as {reason}. || We agreed on {option} for {item} because {reason}. || DECIDED {item}: {option} ({reason}). => What was decided about {item}? || Which decision did we take on {item}? => What is the outcome for {item~}? || How did the group settle {item~}?
Action: {person} to {task} for {item} by {date}. || [ ] {task} for {item}, owner {person}, due {date} || AI {person}: {task}, {item}, deadline {date}. => Who is to {task} for {item}? || When is "{task}" for {item} due? => Which colleague has to {task~} in connection with {item~}? || By when must somebody {task~} about {item~}?
{project}: {person} takes over the lead from {person2} on {date}. || From {date}, {person} leads {project} in place of {person2}. => Who leads {project} from {date}? || Who takes over {project} from {person2}? => Whom do I ask about {project} now that {person2} has left it? || Who used to run {project} before {person}?
Budget of {project} for {team}: {a:12-480} thousand, {reason}. || {team} gets {a:12-480} k for {project} ({reason}). => How much budget has {team} for {project}? => What may {team} spend on {project}?
Risk: {project} slips past {date} unless {team} delivers; {person} escalates. || {project} is at risk: without {team} nothing ships by {date}, {person} raises it. => What puts {project} at risk with {team}? || Who escalates that {project} waits for {team}? => Why could {project} be late because of {team}?
Next review of {item} with {team} on {date}, {person} chairs. || {team} reviews {item} again on {date}; chair {person}. => When does {team} review {item}? || Who chairs the review of {item} with {team}? => When will {team} look at {item~} once more?
{person} disagreed with {option} for {item} and wants it on record. || Objection by {person} to {option} ({item}). => Who objected to {option} for {item}? => Who was against {option~} for {item~}?
`.trim(),
);

/** A later meeting changes an earlier decision on the same item: questions ask for the state now. */
export const REVISIONS = framesOf(
  `
{project}: launch set for {date}.\t{project}: launch moved from {date} to {date2}, {reason}. => When does {project} launch now? || What is the current launch date of {project}? => To which day was the start of {project} put off?
{team} hires {a:2-9} people this year.\t{team} hires {b:10-15} people instead of {a:2-9}, {reason}. => How many people does {team} hire now? => What is the latest headcount that {team} may add?
{person} owns the {team} roadmap.\tThe {team} roadmap goes from {person} to {person2} with immediate effect. => Who owns the {team} roadmap now? => Who has the say over what {team} does next?
`.trim(),
);

/** Other lines. */
export const NOISE: readonly string[] = `
Discussed {topic}, no decision.
{topic}: {person} had complaints, to be watched.
{team} reported nothing unusual.
{person} presented figures of the quarter for {team}.
Short round on {project}: on track.
{person} thanked {team} for the help.
Parking lot: {topic}.
{item}: open questions, back next time.
{project} demo by {person}, well received.
Reminder: time sheets are due on {date}.
{team} asks for more notice before {topic} changes.
{item} was mentioned briefly.
`
  .trim()
  .split("\n");
