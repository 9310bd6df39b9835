/** Words of languages other than English, by function and language. Separated by blanks. */
type ByLanguage = Readonly<Record<string, string>>;

/** Abbreviations whose full stop does not end a sentence. */
export const ABBREVIATIONS: ByLanguage = { german: "bzw usw ca bsp evtl ggf nr z.b d.h u.a" };

/** Words that can be left out without changing a sentence's meaning. */
export const DROPPED: ByLanguage = { german: "ein eine einen einem einer eines", french: "ne" };

export const JOINING: ByLanguage = { german: "und", french: "et", spanish: "y e" };

export const NEGATIONS: ByLanguage = {
  german: "nicht kein keine keinen keinem keiner nie niemals",
  french: "pas jamais rien",
  spanish: "nunca nada",
  russian: "не нет",
  arabic: "لا ليس لم لن",
  hindi: "नहीं",
  hebrew: "לא אין",
  korean: "안 못",
  chinese: "不 没 無 未 非",
};

/** Negations that cannot be the value a question asks for. */
export const NO_ANSWERS: ByLanguage = {
  german: "nicht nie niemals",
  french: "pas jamais",
  spanish: "nunca",
  russian: "не нет",
};

/** Pairs of opposites. Forms of one side are separated by "/". */
export const CONTRARIES: Readonly<Record<string, readonly string[]>> = {
  german: ["geöffnet/offen geschlossen", "erlaubt verboten"],
  french: ["ouvert/ouverte/ouverts/ouvertes fermé/fermée/fermés/fermées"],
  spanish: ["abierto/abierta/abiertos/abiertas cerrado/cerrada/cerrados/cerradas"],
  russian: ["открыт/открыта/открыто/открыты закрыт/закрыта/закрыто/закрыты"],
};

/** Words of a speaker who is unsure or only supposes something. */
export const DOUBTS: ByLanguage = {
  german: "vielleicht vermutlich wahrscheinlich angeblich möglicherweise unbekannt unklar falls",
  french: "peut-être probablement",
  spanish: "quizás probablemente",
  italian: "forse probabilmente",
  portuguese: "talvez",
  russian: "возможно наверное вероятно",
};

/** Words that ask for a value. */
export const INTERROGATIVES: ByLanguage = {
  german:
    "wer wem wen wessen wann wo wie warum wieso welche welcher welches welchem welchen wieviel viele woher wohin",
  french: "qui que quoi quand où comment pourquoi combien quel quelle quels quelles",
  spanish: "quién quien qué cuándo cuando cuanto cuánto cuántos cuántas dónde donde cómo cuál cuáles",
  portuguese: "qual quais quem onde quantos",
  italian: "chi quando dove perché quale quanto",
  dutch: "wat waar wanneer hoe",
  russian: "кто кого кому что чего когда где куда откуда почему зачем сколько как какой какая какое какие",
  turkish: "kim ne nerede kaç nasıl neden",
  arabic: "كم كيف متى أين لماذا ماذا ما من",
  hebrew: "כמה איך מתי איפה למה מה מי",
  hindi: "कौन कब कहाँ क्यों कितने क्या कैसे",
  korean: "누가 누구 언제 어디 무엇 왜 어떻게",
  vietnamese: "gì nào đâu mấy",
};

/** Words common in questions that an answer need not contain. Shorter ones are skipped by length and not listed. */
export const ASKING: ByLanguage = {
  italian: "come",
  portuguese: "porque",
  vietnamese: "ai bao nhiêu sao vì thế khi",
  arabic: "على إلى عن هذا هذه",
  hindi: "में हैं",
};
