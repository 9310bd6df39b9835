/** Lists of English words, separated by blanks, and of phrases. Lower case unless the case matters. */

export const MONTHS = "january february march april may june july august september october november december";
/** Count as months only with a capital or beside a number. */
export const MONTHS_THAT_ARE_WORDS = "march may";
export const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday";
/** In order, from two. */
export const NUMBERS = "two three four five six seven eight nine ten eleven twelve";

/** Abbreviations whose full stop does not end a sentence. */
export const ABBREVIATIONS =
  "mr mrs ms dr prof rev gen col sgt capt st mt vs eg e.g ie i.e cf al approx dept est";
/**
 * Abbreviations whose full stop ends a sentence only if the next word often begins one: "Acme Inc. It sells anvils."
 */
export const ABBREVIATIONS_AT_ENDS = "etc inc ltd co jr sr";
/** Words that often begin a sentence and are not names. */
export const BEGINNINGS =
  "the a an it he she we they this that these there i you my your our what who when where why how is are do did in on at but and if so let";
/** Words that are abbreviations only if a number follows: "No. 5". */
export const ABBREVIATIONS_BEFORE_NUMBERS = "no fig p pp";

/** Words that carry no topic. Search ignores them unless a query has no others. */
export const STOP = `a about after all also am an and any are as at be because been before being but by can could did do does
  doing for from had has have having he her here him his how i if in into is it its me more most my no nor not of on only or
  other our out own s same she should so some such t than that the their them then there these they this those through to too
  until up very was we were what when where which while who whom why will with would you your`;
/** Conversational words: rare enough in stored memories to look important, but rarely the topic. */
export const CHAT = `hi hello hey okay ok alright thanks thank please good great just really like got get going go need want let
  make know think right yes no yeah well now still back much one thing things way lot bit sure ready`;
/** Words of ordinary compounds, in addition to stop words: "ten-year-old". */
export const COMPOUNDING = "between off whose one two three four five six ten old year month week day time";
/** Words of questions and of speech, which need not occur in an answer. */
export const ASKING = `who whom whose what which when where why how is are was were be been being am has have had do does did
  done can could will would shall should may might must a an the of in on at to for from with by about into out up down over
  under off as and or but if then than so that this these those there here it its i me my mine we us our you your he him his
  she they them their any some please tell know said say kind kinds sort type exactly currently still again ever also just only
  now`;
export const INTERROGATIVES = "who whom whose what which when where why how";
export const INTERROGATIVES_FOR_PERSONS = "who whom whose";
/** How somebody who asks or states something refers to themselves. */
export const SELF = "i me";
export const OWN_SELF = "my mine";
/** Interrogatives followed by the kind of thing asked for: "on which day", "how long". */
export const BEFORE_KIND = "which what how";
export const VERBS_OF_QUESTIONS =
  "is are was were do does did has have had can could will would shall should must may might";

/** Words that can be left out without changing a sentence's meaning. */
export const DROPPED = "a an the now currently still also just please that";
/** A difference in these words alone is only grammatical. */
export const AUXILIARIES = "is are was were be been being am has have had do does did will would shall";
export const COPULAS = "is are was were";
/** General words that occur in sentences on any subject. */
export const GENERAL = `in on at of for to from with by and or as it its this these those there he she they we i you his her their
  our my your if when then than so but`;
/** Words that do not belong to a statement's topic. */
export const FILLERS =
  "a an the is are was were be been to of in on at for and now it its that this has have will do does did";
export const PREPOSITIONS = "in on at of for to from with by";
/** Each line: prepositions of one direction. A text that goes the other way is about something else. */
export const DIRECTIONS: readonly string[] = ["to into onto toward towards", "from"];
export const JOINING = "and or &";
export const NEGATIONS =
  "not no never none neither nor without cannot nobody nothing nowhere hardly barely scarcely rarely seldom";
/** Negations that cannot answer a question for a value, unlike "nobody" and "no". */
export const NO_ANSWERS = "not never no-longer cannot hardly barely scarcely rarely seldom";
/** Words that negate what follows them, or their subject, like "not". */
export const DENIERS = "false untrue wrong incorrect";
/** Words after which a number is a name, not a measurement. */
export const LABELS = `ticket issue task pr bug step chapter section session day week phase sprint item todo rfc line page no part
  test case`;
/** Each line: two mutually exclusive sides. "/" separates the words of one side. */
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

/** Words of a speaker who is unsure, only supposes something, or says that it is false or unknown. */
export const DOUBTS = `maybe perhaps probably possibly might unclear unsure unknown unspecified undefined undecided uncertain
  allegedly supposedly apparently reportedly presumably hopefully false untrue wrong incorrect outdated obsolete formerly
  previously tbd tba tbc todo placeholder hypothetical hypothetically guess guessed think thought believe believed assume assumed
  suppose imagine rumour rumours rumor rumors claim claims claimed doubt doubts if unless whether would somebody someone
  something somewhere sometime whoever whatever whichever wherever whenever wonder wonders wondered deny denies denied`;
/** Times, in addition to months and weekdays. */
export const TIMES = `jan feb mar apr jun jul aug sep sept oct nov dec today tomorrow yesterday tonight now noon midday midnight dawn
  dusk sunrise sunset morning mornings afternoon afternoons evening evenings night nights spring summer autumn fall winter season
  easter christmas holiday holidays weekend weekends weekday weekdays day days daily week weeks weekly month months monthly quarter
  quarterly year years yearly annually hour hours hourly minute minutes second seconds always every once twice first last next
  immediately ago during since recently`;
/** Words that relate an event to the time of another. */
export const AT_THE_TIME = "when whenever after before until till while once upon";
export const QUANTITIES = `one no none zero half dozen dozens hundred hundreds thousand thousands million millions billion several
  couple pair all both nothing`;
export const MEASURED = "many much old far tall high big large wide deep fast heavy";
export const MEASURED_IN_TIME = "long often soon";

/** Phrases that precede the name of the person addressed, separated by "|". */
export const GREETINGS = `hi|hey|hello|dear|thanks|thank you|good morning|good afternoon|good evening|good night|bye|goodbye|sorry|congrats|congratulations|happy birthday`;
