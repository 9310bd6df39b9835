/** Lists of English words, divided by blanks, and of phrases. Lower case unless it matters. */

export const MONTHS = "january february march april may june july august september october november december";
/** Months only with a capital, or beside a number. */
export const MONTHS_THAT_ARE_WORDS = "march may";
export const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday";
/** In order from two on. */
export const NUMBERS = "two three four five six seven eight nine ten eleven twelve";

/** Before a full stop that does not end a sentence. */
export const ABBREVIATIONS =
  "mr mrs ms dr prof rev gen col sgt capt st mt vs eg e.g ie i.e cf al approx dept est";
/** The same, unless a word follows that often begins a sentence: "Acme Inc. It sells anvils." */
export const ABBREVIATIONS_AT_ENDS = "etc inc ltd co jr sr";
/** Words that often begin a sentence, and are no names. */
export const BEGINNINGS =
  "the a an it he she we they this that these there i you my your our what who when where why how is are do did in on at but and if so let";
/** The same, if a number follows: "No. 5". */
export const ABBREVIATIONS_BEFORE_NUMBERS = "no fig p pp";

/** Words that carry no topic. Search leaves them out unless a query has no others. */
export const STOP = `a about after all also am an and any are as at be because been before being but by can could did do does
  doing for from had has have having he her here him his how i if in into is it its me more most my no nor not of on only or
  other our out own s same she should so some such t than that the their them then there these they this those through to too
  until up very was we were what when where which while who whom why will with would you your`;
/** Words of conversation: rare enough in stored memories to look important, and seldom the topic. */
export const CHAT = `hi hello hey okay ok alright thanks thank please good great just really like got get going go need want let
  make know think right yes no yeah well now still back much one thing things way lot bit sure ready`;
/** Beside stop words, those of ordinary compounds: "ten-year-old". */
export const COMPOUNDING = "between off whose one two three four five six ten old year month week day time";
/** Words of questions and of speech, which need not be in an answer. */
export const ASKING = `who whom whose what which when where why how is are was were be been being am has have had do does did
  done can could will would shall should may might must a an the of in on at to for from with by about into out up down over
  under off as and or but if then than so that this these those there here it its i me my mine we us our you your he him his
  she they them their any some please tell know said say kind kinds sort type exactly currently still again ever also just only
  now`;
export const INTERROGATIVES = "who whom whose what which when where why how";
/** The word after these says which kind of thing is asked for: "on which day", "how long". */
export const BEFORE_KIND = "which what how";
export const VERBS_OF_QUESTIONS =
  "is are was were do does did has have had can could will would shall should must may might";

/** Words without which a sentence says the same. */
export const DROPPED = "a an the now currently still also just please that";
/** A difference in these alone is one of grammar. */
export const AUXILIARIES = "is are was were be been being am has have had do does did will would shall";
export const COPULAS = "is are was were";
/** Words that a sentence has whatever it is about. */
export const GENERAL = `in on at of for to from with by and or as it its this these those there he she they we i you his her their
  our my your if when then than so but`;
/** Words that are no topic of a statement. */
export const FILLERS =
  "a an the is are was were be been to of in on at for and now it its that this has have will do does did";
export const PREPOSITIONS = "in on at of for to from with by";
export const JOINING = "and or &";
export const NEGATIONS =
  "not no never none neither nor without cannot nobody nothing nowhere hardly barely scarcely rarely seldom";
/** Negations that do not answer a question for a value: "nobody" and "no" may. */
export const NO_ANSWERS = "not never no-longer cannot hardly barely scarcely rarely seldom";
/** What follows them, or what they are said of, is denied as by "not". */
export const DENIERS = "false untrue wrong incorrect";
/** After these words a number names and does not measure. */
export const LABELS = `ticket issue task pr bug step chapter section session day week phase sprint item todo rfc line page no part
  test case`;
/** Each line: two sides that exclude each other, the words of one side divided by "/". */
export const CONTRARIES: readonly string[] = [
  "enabled/enable/enables disabled/disable/disables",
  "true false",
  "allowed/permitted forbidden/prohibited/denied",
  "always never",
  "required/mandatory optional",
  "public private",
  "accepted/approved rejected/declined",
  "open/opened closed",
  "before after",
  "increased/increases/rose/rises decreased/decreases/fell/falls",
  "passed/succeeded failed",
  "started stopped",
  "full empty",
];

/** The speaker is not sure, only supposes it, or says that it is not so, or not known. */
export const DOUBTS = `maybe perhaps probably possibly might unclear unsure unknown unspecified undefined undecided uncertain
  allegedly supposedly apparently reportedly presumably hopefully false untrue wrong incorrect outdated obsolete formerly
  previously tbd tba tbc todo placeholder hypothetical hypothetically guess guessed think thought believe believed assume assumed
  suppose imagine rumour rumours rumor rumors claim claims claimed doubt doubts if unless whether would somebody someone
  something somewhere sometime whoever whatever whichever wherever whenever wonder wonders wondered deny denies denied`;
/** Times beside months and days of the week. */
export const TIMES = `jan feb mar apr jun jul aug sep sept oct nov dec today tomorrow yesterday tonight now noon midday midnight dawn
  dusk sunrise sunset morning mornings afternoon afternoons evening evenings night nights spring summer autumn fall winter season
  easter christmas holiday holidays weekend weekends weekday weekdays day days daily week weeks weekly month months monthly quarter
  quarterly year years yearly annually hour hours hourly minute minutes second seconds always every once twice first last next
  immediately ago during since recently`;
/** Something happens at the time of something else. */
export const AT_THE_TIME = "when whenever after before until till while once upon";
export const QUANTITIES = `one no none zero half dozen dozens hundred hundreds thousand thousands million millions billion several
  couple pair all both nothing`;
export const MEASURED = "many much old far tall high big large wide deep fast heavy";
export const MEASURED_IN_TIME = "long often soon";

/** Before the name of the person who is addressed; phrases, divided by "|". */
export const GREETINGS = `hi|hey|hello|dear|thanks|thank you|good morning|good afternoon|good evening|good night|bye|goodbye|sorry|congrats|congratulations|happy birthday`;
