/** A question about a time, in a form that the made cases do not have. */
export interface WrittenCase {
  readonly question: string;
  /** The local day and time at which it is asked. */
  readonly asked: string;
  readonly timeZone: string;
  /** The memory that should come first, and its local day. */
  readonly right: readonly [content: string, day: string];
  readonly wrong: readonly (readonly [content: string, day: string])[];
}

/** The first memory is the right one. */
export type TimeRow = readonly [
  question: string,
  asked: string,
  ...memories: readonly (readonly [string, string])[],
];

/** Written before the rule and without its code. */
const ROWS: readonly TimeRow[] = [
  // Calendar periods.
  [
    "Remind me who came by for dinner the week before last",
    "2026-06-10T20:00",
    ["Helga came for dinner.", "2026-05-28"],
    ["Farid came for dinner.", "2026-06-03"],
    ["Irina came for dinner.", "2026-05-20"],
  ],
  [
    "any outages over the weekend?",
    "2026-09-07T08:30",
    ["The search page had an outage.", "2026-09-05"],
    ["The login page had an outage.", "2026-09-03"],
    ["The export page had an outage.", "2026-08-30"],
  ],
  [
    "Which invoice was paid in the previous quarter?",
    "2026-04-02T10:00",
    ["Invoice from the printer was paid.", "2026-02-14"],
    ["Invoice from the caterer was paid.", "2026-04-01"],
    ["Invoice from the florist was paid.", "2025-12-20"],
  ],
  [
    "What did I run on Tuesday?",
    "2026-03-05T12:00",
    ["I ran 8 km.", "2026-03-03"],
    ["I ran 5 km.", "2026-03-04"],
    ["I ran 12 km.", "2026-02-24"],
  ],
  [
    "What did we ship back in October?",
    "2026-03-01T09:00",
    ["We shipped the dark theme.", "2025-10-31"],
    ["We shipped the new editor.", "2025-11-01"],
    ["We shipped the mobile app.", "2025-09-30"],
  ],
  [
    "who called this morning",
    "2026-07-01T13:00",
    ["Otto called about the lease.", "2026-07-01"],
    ["Mabel called about the lease.", "2026-06-30"],
  ],
  [
    "What was my weight at the start of last year?",
    "2026-05-05T09:00",
    ["My weight is 71 kg.", "2025-01-08"],
    ["My weight is 74 kg.", "2025-10-12"],
    ["My weight is 69 kg.", "2026-01-06"],
  ],
  [
    "Did anybody complain in the last couple of days?",
    "2026-08-02T15:00",
    ["A customer complained about the noise.", "2026-08-01"],
    ["A customer complained about the queue.", "2026-07-22"],
    ["A customer complained about the prices.", "2026-07-27"],
  ],
  [
    "Which rooms did we paint last summer?",
    "2026-02-11T15:00",
    ["We painted the kitchen.", "2025-07-19"],
    ["We painted the hall.", "2025-10-03"],
    ["We painted the attic.", "2025-04-30"],
  ],
  [
    "What did Yusuf promise on the 3rd of May?",
    "2026-05-20T15:00",
    ["Yusuf promised a draft of the offer.", "2026-05-03"],
    ["Yusuf promised a list of the suppliers.", "2026-05-13"],
    ["Yusuf promised a copy of the keys.", "2026-04-03"],
  ],
  [
    "What broke on New Year's Eve?",
    "2026-01-15T10:00",
    ["The heating broke.", "2025-12-31"],
    ["The fridge broke.", "2026-01-02"],
    ["The oven broke.", "2025-12-24"],
  ],
  [
    "Whom did we interview five days earlier?",
    "2026-03-03T10:00",
    ["We interviewed Delia.", "2026-02-26"],
    ["We interviewed Enzo.", "2026-03-02"],
    ["We interviewed Esther.", "2026-02-17"],
  ],
  // Open ranges.
  [
    "Which books have I finished since the spring?",
    "2026-10-10T10:00",
    ["I finished the book The Lighthouse.", "2026-08-01"],
    ["I finished the book Winter Roads.", "2026-01-20"],
    ["I finished the book The Orchard.", "2025-11-02"],
  ],
  [
    "Who had joined the choir by the end of March?",
    "2026-10-10T10:00",
    ["Anika joined the choir.", "2026-03-02"],
    ["Bruno joined the choir.", "2026-04-11"],
    ["Caspar joined the choir.", "2026-09-01"],
  ],
  [
    "From June onwards, who watered the plants?",
    "2026-10-10T10:00",
    ["Dario watered the plants.", "2026-07-04"],
    ["Ida watered the plants.", "2026-05-30"],
    ["Ilse watered the plants.", "2026-02-09"],
  ],
  [
    "Up to 2024, which bank did the club use?",
    "2026-10-10T10:00",
    ["The club uses the Harbour Bank.", "2023-05-01"],
    ["The club uses the River Bank.", "2025-05-01"],
  ],
  [
    "Who cleaned the stairs later than 12 August 2026?",
    "2026-10-10T10:00",
    ["Gideon cleaned the stairs.", "2026-08-20"],
    ["Gemma cleaned the stairs.", "2026-08-10"],
    ["Freya cleaned the stairs.", "2026-07-20"],
  ],
  [
    "Between Easter Monday 2026-04-06 and 2026-05-01, who fed the cat?",
    "2026-10-10T10:00",
    ["Elsa fed the cat.", "2026-04-20"],
    ["Edith fed the cat.", "2026-05-20"],
    ["Elena fed the cat.", "2026-03-20"],
  ],
  [
    "What did Imran learn from March to May?",
    "2026-10-10T10:00",
    ["Imran learned to juggle.", "2026-04-20"],
    ["Imran learned to sail.", "2026-06-20"],
    ["Imran learned to weld.", "2026-02-20"],
  ],
  [
    "What has changed in the deploy script since we last spoke on Monday?",
    "2026-10-09T10:00",
    ["The deploy script was changed to wait for the health check.", "2026-10-07"],
    ["The deploy script was changed to run the migrations.", "2026-10-02"],
  ],
  // Relative to another event.
  [
    "What did Hanna pack before we left for Ashby?",
    "2026-10-10T10:00",
    ["Hanna packed a tent.", "2026-06-29"],
    ["Hanna packed a lamp.", "2026-08-10"],
    ["We left for Ashby.", "2026-07-02"],
  ],
  [
    "Once the audit was over, which tool did the team pick?",
    "2026-10-10T10:00",
    ["The team picked the tool Beacon.", "2026-06-20"],
    ["The team picked the tool Anchor.", "2026-02-20"],
    ["The audit was over on 2026-05-15.", "2026-05-15"],
  ],
  [
    "Following the merger, who runs the canteen?",
    "2026-10-10T10:00",
    ["Gareth runs the canteen.", "2026-08-20"],
    ["Gabriel runs the canteen.", "2026-02-20"],
    ["The merger took place.", "2026-05-15"],
  ],
  [
    "Prior to the flood, where was the archive kept?",
    "2026-10-10T10:00",
    ["The archive is kept in the cellar.", "2025-12-20"],
    ["The archive is kept in the tower.", "2026-08-20"],
    ["The flood happened in the night.", "2026-05-15"],
  ],
  [
    "Which songs did Ines practise in the days after her concert in Dalton?",
    "2026-10-10T10:00",
    ["Ines practised the song Evening.", "2026-05-18"],
    ["Ines practised the song Morning.", "2026-05-10"],
    ["Ines gave her concert in Dalton.", "2026-05-15"],
  ],
  [
    "What have I eaten since my operation?",
    "2026-10-10T10:00",
    ["I ate rice with beans.", "2026-08-18"],
    ["I ate soup with bread.", "2026-05-10"],
    ["I had my operation.", "2026-08-10"],
  ],
  // First, last, latest, how long ago.
  [
    "When was the most recent time Tomas cut the hedge?",
    "2026-10-10T10:00",
    ["Tomas cut the hedge with the old shears.", "2026-09-18"],
    ["Tomas cut the hedge with the new shears.", "2026-06-18"],
    ["Tomas cut the hedge with a saw.", "2025-09-18"],
  ],
  [
    "Where did we go on our very first outing?",
    "2026-10-10T10:00",
    ["On our outing we went to Foxhill.", "2024-09-18"],
    ["On our outing we went to Larkhill.", "2025-09-18"],
    ["On our outing we went to Highcliff.", "2026-09-18"],
  ],
  [
    "how long has it been since I changed the oil?",
    "2026-10-10T10:00",
    ["I changed the oil at the garage.", "2026-04-18"],
    ["I changed the oil at home.", "2025-04-18"],
    ["I changed the oil at the pier.", "2024-04-18"],
  ],
  [
    "What's the newest version of the price list?",
    "2026-10-10T10:00",
    ["The price list is at version C.", "2026-09-18"],
    ["The price list is at version D.", "2026-01-18"],
    ["The price list is at version B.", "2025-09-18"],
  ],
  [
    "Who was the earliest member of the rowing club?",
    "2026-10-10T10:00",
    ["Arturo became a member of the rowing club.", "2019-09-18"],
    ["Agnes became a member of the rowing club.", "2022-01-18"],
    ["Alma became a member of the rowing club.", "2025-09-18"],
  ],
  [
    "How many days ago did Florian visit the dentist?",
    "2026-10-10T10:00",
    ["Florian visited the dentist in Linden.", "2026-10-01"],
    ["Florian visited the dentist in Hadley.", "2026-03-01"],
  ],
  [
    "What did Corinna say last about the roof?",
    "2026-10-10T10:00",
    ["Corinna said the roof needs tiles.", "2026-10-01"],
    ["Corinna said the roof is fine.", "2026-03-01"],
    ["Corinna said the roof leaks.", "2025-03-01"],
  ],
  [
    "Initially, which database did the team choose?",
    "2026-10-10T10:00",
    ["The team chose the database Marble.", "2024-10-01"],
    ["The team chose the database Granite.", "2026-03-01"],
  ],
  // Other languages.
  [
    "Wo haben wir vorletzte Woche gegessen?",
    "2026-06-10T20:00",
    ["Wir haben im Goldenen Anker gegessen.", "2026-05-28"],
    ["Wir haben im Roten Ochsen gegessen.", "2026-06-03"],
    ["Wir haben im Blauen Bock gegessen.", "2026-06-08"],
  ],
  [
    "Wer hat seit Ostern den Garten gegossen?",
    "2026-06-10T20:00",
    ["Ilse hat den Garten gegossen.", "2026-05-28"],
    ["Harald hat den Garten gegossen.", "2026-02-03"],
  ],
  [
    "Qu'est-ce que Camila a acheté le mois passé ?",
    "2026-06-10T20:00",
    ["Camila a acheté une lampe.", "2026-05-28"],
    ["Camila a acheté une chaise.", "2026-04-28"],
    ["Camila a acheté une table.", "2026-06-03"],
  ],
  [
    "¿Qué pintó Beatriz la primera vez?",
    "2026-06-10T20:00",
    ["Beatriz pintó un barco.", "2024-05-28"],
    ["Beatriz pintó un puente.", "2025-04-28"],
    ["Beatriz pintó una torre.", "2026-06-03"],
  ],
  [
    "Cosa ha comprato Giulia l'altro ieri?",
    "2026-06-10T20:00",
    ["Giulia ha comprato una lampada.", "2026-06-08"],
    ["Giulia ha comprato una sedia.", "2026-06-09"],
    ["Giulia ha comprato un tavolo.", "2026-06-10"],
  ],
  [
    "Wat heeft Anders afgelopen maandag gerepareerd?",
    "2026-06-10T20:00",
    ["Anders heeft de fiets gerepareerd.", "2026-06-08"],
    ["Anders heeft de deur gerepareerd.", "2026-06-09"],
    ["Anders heeft de kraan gerepareerd.", "2026-06-01"],
  ],
];

export const writtenCases = (rows: readonly TimeRow[]): readonly WrittenCase[] =>
  rows.map(([question, asked, right, ...wrong], at) => ({
    question,
    asked,
    timeZone: ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata"][at % 4] as string,
    right: right as readonly [string, string],
    wrong,
  }));

export const SECOND_SET = writtenCases(ROWS);
