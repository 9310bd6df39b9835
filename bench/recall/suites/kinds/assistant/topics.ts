import { type Frame, framesOf } from "../grammar.ts";

/** A subject that a user and an assistant write about. */
export interface Topic {
  readonly name: string;
  readonly advice: readonly string[];
  readonly frames: readonly Frame[];
}

export const SLOTS = {
  person: "Marta;Jonas;Priya;Owen;Lucia;Henrik;Amara;Felix;Noor;Colette;Samir;Greta",
  kin: "sister;brother-in-law;niece;grandmother;neighbour;cousin;flatmate;godson",
  flour: "rye;spelt;einkorn;wholemeal wheat;buckwheat",
  food: "walnuts;sesame;shellfish;lupin;celery;kiwi fruit",
  dish: "lentil soup;mushroom risotto;plum cake;fish stew;onion tart;chickpea curry",
  plant: "monstera;fern in the hall;lemon tree;basil;rubber plant;string of pearls;peace lily",
  city: "Kanazawa;Lisbon;Tromsø;Ghent;Valparaíso;Tbilisi;Hobart;Oaxaca",
  stay: "a guesthouse by the canal;a converted lighthouse;a hostel near the station;a flat above a bakery;a farm outside the town",
  race: "spring half marathon;night run;forest trail race;charity ten-kilometre run;relay across the lake",
  ache: "left knee;right Achilles tendon;lower back;hip flexor;shin",
  room: "attic;study;garden shed;kitchen;spare bedroom;garage",
  device: "mesh repeater;old laptop;smart doorbell;network drive;games console;label printer",
  table: "orders;invoices;page_views;shipments;audit_entries;customers",
  column: "customer_id;created_at;status;warehouse_code;tenant_id;email_hash",
  song: "Blackbird;Clair de Lune;Asturias;Autumn Leaves;Hallelujah;the Bach prelude in C",
  firm: "Norddal Shipping;Pellworth Bank;Ostrava Robotics;Greenfinch Media;Halden Hydro;Tessera Labs",
  cost: "gym membership;car insurance;music lessons;storage unit;newspaper subscription;broadband contract",
  dog: "Biscuit;Otto;Pepper;Juno;Moss;Ziggy",
  trick: "roll over;fetch the post;wait at the kerb;ring the bell;stay on the mat",
  lens: "35 mm lens;macro lens;telephoto zoom;fisheye;pancake lens",
  scene: "night market;snowy ridge;dance rehearsal;waterfall;old tram depot;starlings at dusk",
  book: "the lighthouse novel;the history of salt;the biography of Lovelace;the book on tides;the essays on gardens",
} as const;

const topic = (name: string, advice: string, frames: string): Topic => ({
  name,
  advice: advice
    .trim()
    .split("\n")
    .map((line) => line.trim()),
  frames: framesOf(frames),
});

export const TOPICS: readonly Topic[] = [
  topic(
    "baking bread",
    `Feed the starter at the same time each day and keep it where the temperature hardly changes.
    A wetter dough gives larger holes, but it is harder to shape.
    Let the loaf cool fully before you cut it, or the crumb turns gummy.
    Weigh flour and water instead of measuring by cup.
    Steam in the first quarter of an hour lets the crust stretch.
    If the dough tears when you shape it, give it another rest.
    Salt slows fermentation, so add it after the first mix.
    A baking stone stores heat and evens out a weak oven.
    Cold proofing overnight deepens the flavour and makes scoring easier.
    Old flour smells of cardboard and drinks less water.
    Fold the dough every half hour rather than kneading it hard.
    Whole grains bring wild yeast with them, which wakes a sleepy starter.`,
    `For your {flour} loaf I would go down to {a:62-84} % hydration. || With {flour} in the mix, {a:62-84} % hydration is as far as I would go. => What hydration did you suggest for the {flour} loaf? || How much hydration for {flour}? => How wet should I make the dough if I use {flour}?
    My {kin} {person} gets a rash from {food}, so nothing with that on the table. || Please remember that {person}, my {kin}, is allergic to {food}. => What is my {kin} {person} allergic to? || Which allergy does {person} have? => What must I keep out of the meal if {person} comes round?
    I named my starter {dog} and it lives on top of the boiler. || The starter is called {dog}, and its jar stands on the boiler. => What is my starter called? => Which name did I give to the thing I feed with flour?
    We served the {dish} for {person}'s birthday and everybody wanted seconds. || The {dish} was the hit of {person}'s birthday. => Which dish did we serve for {person}'s birthday? => What did guests like so much at the party for {person}?`,
  ),
  topic(
    "house plants",
    `Most houseplants die of too much water rather than too little.
    Turn the pots a quarter every week so that growth stays even.
    Yellow lower leaves are often a sign of age and no cause for concern.
    Group plants together to raise the humidity around them.
    Repot in spring, one size up, into fresh soil.
    Dust blocks light, so wipe broad leaves with a damp cloth.
    Sticky leaves point to scale insects or aphids.
    Rainwater suits plants that dislike lime.
    Direct sun behind glass burns leaves that are used to shade.
    Push a finger into the soil before you reach for the can.
    Cut above a node if you want the plant to branch.
    Fertiliser in winter does more harm than good.`,
    `The {plant} only wants water every {a:9-27} days in winter. || In the cold months, water the {plant} once in {a:9-27} days. => How often does the {plant} want water in winter? => When is the {plant} thirsty again between December and February?
    I moved the {plant} to the {room} because it was scorched. || Since the leaves burnt, the {plant} stands in the {room}. => Where did I move the {plant}? || In which spot does the {plant} stand now? => What new home did I find for the {plant}?
    {person} gave me the {plant} when she left for {city}. || The {plant} was a parting gift of {person}, who now lives in {city}. => Who gave me the {plant}? => Whom do I have to thank for the {plant}?
    Against the gnats in the {plant}, put a {a:2-4} cm layer of coarse sand on the soil. => What helps against the gnats in the {plant}? => How do I get rid of the tiny flies around the {plant}?`,
  ),
  topic(
    "travel",
    `Book the first night near the station if you arrive late.
    Carry a paper copy of reservations in case the phone dies.
    Public holidays change opening hours more than guidebooks admit.
    Regional passes pay off from about three long rides.
    Pack layers rather than one thick coat.
    Trams are usually the cheapest way in from the airport.
    Leave a buffer of two hours between separate tickets.
    A small padlock is worth its weight in any hostel.
    Markets are best early on weekdays.
    Check whether museums close on Mondays before you plan the week.
    Tap water is safe in most of the towns on this route.
    Photograph your passport and keep the file offline.`,
    `In {city} I booked {stay} for {a:3-9} nights. || For {city} we have {stay}, {a:3-9} nights, paid already. => What did I book in {city}? => Where do I sleep when I get to {city}?
    {person} will meet us in {city} on the {a:3-28}th at the ferry pier. || On the {a:3-28}th, {person} waits for us at the pier in {city}. => When does {person} meet us in {city}? => Which day do I have to be at the water to see {person} again?
    The visa for {city} took {a:4-19} working days last time. || Last time the consulate needed {a:4-19} working days for the {city} visa. => How long did the visa for {city} take? => How early should I send my passport in before I go to {city}?
    I get seasick, so no ferries to {city} please. || Please plan no boats on the way to {city}: I get seasick. => Why no ferries to {city}? => Which means of transport must the itinerary for {city} avoid?`,
  ),
  topic(
    "running",
    `Most of the weekly distance should feel easy enough to chat.
    Increase the long run by no more than a tenth a week.
    New shoes need a few short outings before a long one.
    Sleep repairs more than any gadget does.
    Strides after an easy run keep the legs quick.
    Eat what you know on the morning of a race.
    A sore muscle that improves while you move is usually harmless.
    Hills build strength with less impact than sprints.
    Taper for two weeks, and expect to feel restless.
    Drink to thirst in cool weather and by plan in heat.
    Log how you felt, not only how fast you went.
    Rest days are part of training, not a pause from it.`,
    `My goal for the {race} is {a:41-59} minutes flat. || I want to finish the {race} in {a:41-59} minutes. => What is my goal for the {race}? => How fast do I hope to be at the {race}?
    My {ache} hurts again after the intervals, so {person} told me to stop for {a:5-20} days. || {person}, my physio, wants me to rest the {ache} for {a:5-20} days. => How long did {person} tell me to rest my {ache}? => When may I train again, given the trouble with my {ache}?
    For the {race}, take a gel every {a:22-38} minutes and skip the one at the end. => How often should I take a gel in the {race}? => What is my feeding plan for the {race}?
    I run the {race} together with {person}, who has never raced before. || {person} joins me for the {race}. => Who runs the {race} with me? => Which beginner will be beside me at the {race}?`,
  ),
  topic(
    "the home network",
    `Place the router high and away from metal.
    Wired links beat any wireless trick for a machine that never moves.
    Change the default password before anything else.
    Channels overlap, so pick one that neighbours leave free.
    Update the firmware twice a year at least.
    A guest network keeps visitors away from your files.
    Thick walls absorb the fast band first.
    Restarting hides a fault without removing it.
    Label both ends of each cable while you still remember.
    Backups that were never restored are only hopes.
    A short power cut can corrupt cheap memory cards.
    Turn off remote administration unless you use it.`,
    `The {device} has the fixed address 192.168.7.{a:11-240}. || I gave the {device} 192.168.7.{a:11-240} as a static address. => Which address has the {device}? => Under which IP do I reach the {device}?
    The {device} in the {room} drops out whenever the microwave runs. || Each time the microwave is on, the {device} in the {room} loses its connection. => When does the {device} in the {room} drop out? => What disturbs the {device} in the {room}?
    Set the {device} to channel {a:36-64}, which nobody nearby uses. => Which channel for the {device}? => How should I tune the radio of the {device}?
    The recovery key of the {device} is in the blue folder in the {room}. || I put the {device}'s recovery key into the blue folder, {room}. => Where is the recovery key of the {device}? => How do I get back in if the {device} locks me out?`,
  ),
  topic(
    "SQL",
    `Read the plan from the innermost node outwards.
    An index on a column with two values seldom pays off.
    Statistics go stale after bulk loads, so run analyze.
    Covering indexes save the trip to the heap.
    Select only the columns that you need.
    Offsets grow slower with each page, and keysets do not.
    Long transactions keep old row versions alive.
    Functions around a column hide it from the index.
    Batch inserts into groups of a few hundred rows.
    Nulls sort last by default in ascending order.
    A lateral join often replaces a loop in the application.
    Check constraints document what the code assumes.`,
    `On {table}, build a partial index on {column} where archived is false. || A partial index on {column} for unarchived rows is what {table} lacks. => Which index should I build on {table}? => How do I speed up reads of live rows in {table}?
    Our {table} table has {a:11-95} million rows and grows by a tenth a month. || We store {a:11-95} million rows in {table} by now. => How many rows has our {table} table? => How large is the data in {table}?
    We must never delete from {table}, {person} from legal said so. || Legal, that is {person}, forbids any delete on {table}. => Why must we never delete from {table}? => May I purge {table}?
    The slow report joins {table} with {table2} on {column}. => On which column does the slow report join {table} with {table2}? => How are {table} and {table2} linked where it takes so long?`,
  ),
  topic(
    "music practice",
    `Practise the hard bar alone before you join it to its neighbours.
    A metronome shows where you rush.
    Ten minutes daily beat one long evening.
    Record yourself and listen a day later.
    Slow is the fastest way to clean.
    Memorise the left hand first.
    Loosen the shoulder before the wrist.
    Sing the line that you want to bring out.
    New strings need a day to settle.
    End a session with something that you can already play.
    Fingerings are worth writing down.
    Practise entries from the middle of the piece.`,
    `Begin {song} at {a:48-88} beats a minute and add four a week. || For {song}, {a:48-88} beats a minute is the tempo to start from. => At how many beats a minute should I begin {song}? => How slowly do I start with {song}?
    I play {song} at the wedding of {person} in {city}. || {person} asked for {song} at the wedding in {city}. => What do I play at the wedding of {person}? => Which piece has the bride called {person} wished for?
    My teacher {person} wants the second half of {song} by heart by the {a:3-28}th. => What does {person} want of {song} by heart? => How much of {song} do I have to memorise for my lesson?
    The F sharp in bar {a:7-61} of {song} is my weak spot. || I always stumble over bar {a:7-61} of {song}. => Which bar of {song} is my weak spot? => Where do I make mistakes in {song}?`,
  ),
  topic(
    "job applications",
    `Lead with results rather than duties.
    Prepare three stories that show conflict, failure and success.
    Ask what the first ninety days should bring.
    A short letter is read, a long one is filed.
    Research the people you will meet.
    Name a salary range only when asked.
    Follow up after a week, once.
    Practise aloud, not in your head.
    References should know which role you are after.
    Gaps in a career need one honest sentence.
    Turn a vague question into a concrete case.
    Silence after a question is fine for a few seconds.`,
    `{firm} offered me {a:52-94} thousand a year with four days a week. || The offer of {firm}: {a:52-94} thousand, four days a week. => How much did {firm} offer me? => What would I earn at {firm}?
    The second interview with {firm} is with {person}, who leads the data team. || {person}, head of data, takes the second round at {firm}. => Who interviews me at {firm}? => Whom should I look up before I talk to {firm} again?
    I turned {firm} down because of the commute to {city}. || The way to {city} is too long, so I said no to {firm}. => Why did I turn {firm} down? => For what reason am I not going to work at {firm}?
    Tell {firm} that your notice period is {a:5-13} weeks. => Which notice period should I tell {firm}? => How soon could I start at {firm}?`,
  ),
  topic(
    "household money",
    `List the fixed costs before you plan anything else.
    An emergency fund covers three months of them.
    Automatic transfers on payday beat good intentions.
    Compare contracts once a year.
    Small leaks are easier to stop than large ones.
    Pay the dearest debt first.
    Separate accounts make limits visible.
    Keep receipts for anything with a guarantee.
    Sales save money only on what you wanted anyway.
    Review subscriptions every quarter.
    Round estimates up.
    Cash makes spending felt.`,
    `The {cost} runs out on the {a:3-28}th unless I cancel in writing. || I have to cancel the {cost} in writing by the {a:3-28}th. => When does the {cost} run out? => What is the last day to get out of the {cost}?
    I split the {cost} with {person}, who pays {a:35-65} percent. || {person} and I share the {cost}; {person} pays {a:35-65} percent. => How much of the {cost} does {person} pay? => Who shares the bill for the {cost}?
    Put {a:105-340} euros a month aside for the {cost}. => How much should I put aside for the {cost}? => What budget do you advise for the {cost}?
    The {cost} went up by {a:6-19} percent because of the move to {city}. => Why did the {cost} go up? => What made the {cost} dearer?`,
  ),
  topic(
    "the dog",
    `Reward within a second or the link is lost.
    Short sessions keep a puppy keen.
    Tired dogs learn little.
    One word for one thing, and everybody in the family uses it.
    Ignore barking for attention.
    Walks are for sniffing as much as for moving.
    Brush before bathing.
    Change food over a week.
    Chewing is a need, so offer something to chew.
    Check paws after salt and gravel.
    Socialise early and gently.
    Never call a dog to something that it dislikes.`,
    `{dog} weighs {a:8-34} kilos and gets drops twice a day. || The vet put {dog} at {a:8-34} kilos. => How much does {dog} weigh? => How heavy is my pet {dog}?
    {dog} is afraid of balloons since the fair in {city}. || After the fair in {city}, {dog} panics at balloons. => What is {dog} afraid of? => Which objects should I keep away from {dog}?
    Teach {dog} to {trick} with the clicker before any food is shown. => How should I teach {dog} to {trick}? => What tool do you advise so that {dog} learns to {trick}?
    {person} looks after {dog} while I am in {city}. || While I stay in {city}, {dog} lives with {person}. => Who looks after {dog} while I am in {city}? => Where does my pet {dog} stay when I travel?`,
  ),
];

/** Of no subject. */
export const FILLERS: readonly string[] = `
Let me know if you would like more detail on any of these points.
There is no single right answer here, but a few rules of thumb help.
It depends on how much time you want to spend.
I would start with the smallest change and see what happens.
If something feels wrong, stop and go back a step.
In short, patience matters more than equipment.
Here is a summary of what we have discussed so far.
You can come back to this list whenever you need it.
That is a common question, and the answer surprises many people.
None of this is urgent, so take it at your own pace.
Would you like me to turn this into a checklist?
I have kept the order from most to least important.
`
  .trim()
  .split("\n");

export const SNIPPETS: readonly string[] = [
  "```sql\nselect name, count(*) from visits\ngroup by name\norder by 2 desc limit 10;\n```",
  "```python\ntotal = sum(item.price for item in basket)\nprint(f'{total:.2f}')\n```",
  "```sh\nrsync -av --delete ~/photos/ backup:/photos/\n```",
  "| week | easy | hard | rest |\n|---|---|---|---|\n| 1 | 3 | 1 | 3 |\n| 2 | 3 | 2 | 2 |\n| 3 | 4 | 2 | 1 |",
];

export const REQUESTS: readonly string[] = `
Can you give me an overview of {topic}? I have an hour this evening.
I am stuck with {topic}. What do people usually get wrong?
Thanks, that helps. Now back to {topic}: what should I do first?
Could you write me a plan for {topic} for the next month, with headings please?
Somebody at work swears by another way of doing things. What is your view on {topic}?
Explain {topic} as if I were new to it, and keep the tone light.
`
  .trim()
  .split("\n");
