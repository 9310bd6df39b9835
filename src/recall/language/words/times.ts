/**
 * Expressions of time by language. Alternatives are separated by "|", the items of a list by blanks and forms of one item
 * by "/". In phrases, `{n}` is a number or a word for one, and `{unit}`, `{month}`, `{weekday}`, `{season}` and `{year}`
 * are one of the list's.
 */
export interface TimeWords {
  /** Whether words are written together, so that an expression need not begin or end where a word does. */
  readonly isJoined?: boolean;
  /** Days from today on, by their distance: 0, −1, −2. */
  readonly days: Readonly<Record<"0" | "-1" | "-2", string>>;
  /** Forms of each unit. */
  readonly units: Readonly<Partial<Record<TimeUnit, string>>>;
  /** From one on. */
  readonly numbers: string;
  /** The period before the current one. */
  readonly previous: Readonly<Partial<Record<TimeUnit, string>>>;
  /** The one before that. */
  readonly beforePrevious?: Readonly<Partial<Record<TimeUnit, string>>>;
  readonly current: Readonly<Partial<Record<TimeUnit, string>>>;
  readonly ago: string;
  /** A number of units up to now. */
  readonly past?: string;
  /** From January on. */
  readonly months?: string;
  /** From Sunday on. */
  readonly weekdays?: string;
  /** From spring on. */
  readonly seasons?: string;
  /** Words before a time or an event, by the range that they make of it. */
  readonly relations?: Readonly<Partial<Record<TimeRelation, string>>>;
  /** Words before a weekday, month or season that ask for the last complete one. */
  readonly lastOne?: string;
  /** Words before a weekday or season that ask for the current or last one. */
  readonly thisOne?: string;
  /** Words before an event that a time is given by. */
  readonly besideEvents?: Readonly<Partial<Record<EventRelation, string>>>;
  /** Expressions that ask how long something took, so that an event beside them is where it begins or ends. */
  readonly howLong?: string;
  /** Verbs that make another verb with a word before an event, so that no time is meant: "look after". */
  readonly verbsWithThem?: string;
  /** Words between two times: "between March and May". */
  readonly and?: string;
  /** Words after a time from which a range begins: "from March on". */
  readonly onwards?: string;
  /** Words that restrict a time to its beginning or end. */
  readonly beginning?: string;
  readonly end?: string;
  /** Words that may stand before a time. */
  readonly articles?: string;
  /** Expressions that ask for the first of several times, and for the last one. */
  readonly first?: string;
  readonly last?: string;
  /** Expressions that ask how long ago the last one was. */
  readonly howLongAgo?: string;
}

export type TimeUnit = "day" | "week" | "fortnight" | "weekend" | "month" | "quarter" | "year";
export type EventRelation = "since" | "before" | "until" | "after";
export type TimeRelation = "within" | "between" | EventRelation;

export const ENGLISH: TimeWords = {
  days: {
    "0": "today|earlier today|tonight|this morning|this afternoon|this evening",
    "-1": "yesterday",
    "-2": "the day before yesterday",
  },
  units: {
    day: "day|days",
    week: "week|weeks",
    fortnight: "fortnight|fortnights",
    month: "month|months",
    quarter: "quarter|quarters",
    year: "year|years",
  },
  numbers:
    "a/an/one two/couple/couple‿of/a‿couple‿of three/few/a‿few four/several five six seven eight nine ten eleven twelve",
  previous: {
    week: "last week|previous week",
    month: "last month|previous month",
    quarter: "last quarter|previous quarter",
    year: "last year|previous year",
    weekend: "last weekend|past weekend|previous weekend|over the weekend|at the weekend|on the weekend",
  },
  beforePrevious: {
    week: "the week before last",
    month: "the month before last",
    year: "the year before last",
    weekend: "the weekend before last",
  },
  current: {
    week: "this week",
    month: "this month",
    quarter: "this quarter",
    year: "this year",
    weekend: "this weekend",
  },
  ago: "{n} {unit} ago|{n} {unit} back|{n} {unit} earlier",
  past: "last {n} {unit}|past {n} {unit}|previous {n} {unit}|past {unit}",
  months:
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov december/dec",
  weekdays: "sunday monday tuesday wednesday thursday friday saturday",
  seasons: "spring summer autumn/fall winter",
  relations: {
    within: "in|during|on|at|throughout|over|back in|within",
    between: "between|from",
    since: "since|ever since|starting",
    before: "before|prior to|earlier than|ahead of",
    until: "until|till|up to|by|through",
    after: "after|later than|following|once",
  },
  lastOne: "last|past|previous",
  thisOne: "this",
  besideEvents: {
    since: "since|ever since",
    before: "before|prior to|ahead of",
    until: "until|till",
    after: "after|following|once",
  },
  howLong: "how long|how much time|how many {unit}",
  verbsWithThem: "look|looks|looked|looking|named|sought",
  and: "and|to|until|till|through",
  onwards: "on|onward|onwards",
  beginning: "start of|beginning of|early in|early",
  end: "end of|late in|late",
  articles: "the|that",
  first:
    "for the first time|the first time|the first|the very first|first|very first|earliest|oldest|initially|originally",
  last: "for the last time|the last time|most recently|the most recent|most recent|latest|newest|last",
  howLongAgo: "how long ago|how long is it since|how long has it been since|how many {unit} ago",
};

export const TIMES: Readonly<Record<string, TimeWords>> = {
  english: ENGLISH,
  german: {
    days: { "0": "heute|heute morgen|heute abend", "-1": "gestern|gestern abend", "-2": "vorgestern" },
    units: {
      day: "tag|tage|tagen",
      week: "woche|wochen",
      month: "monat|monate|monaten",
      year: "jahr|jahre|jahren",
    },
    numbers: "ein/einem/einen/einer/eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    previous: {
      week: "letzte woche|letzter woche|vorige woche|voriger woche|vergangene woche|vergangener woche",
      month: "letzten monat|letztem monat|vorigen monat|vergangenen monat",
      quarter: "letztes quartal|letzten quartal",
      year: "letztes jahr|letzten jahr|letztem jahr|voriges jahr|vergangenen jahr|vergangenes jahr",
      weekend: "letztes wochenende|letzten wochenende|vergangenen wochenende|am wochenende",
    },
    beforePrevious: {
      week: "vorletzte woche|vorletzter woche",
      month: "vorletzten monat",
      year: "vorletztes jahr",
    },
    current: {
      week: "diese woche|dieser woche",
      month: "diesen monat|diesem monat",
      year: "dieses jahr|diesem jahr",
      weekend: "dieses wochenende|diesem wochenende",
    },
    ago: "vor {n} {unit}",
    past: "letzten {n} {unit}|vergangenen {n} {unit}",
    months: "januar februar märz april mai juni juli august september oktober november dezember",
    weekdays: "sonntag montag dienstag mittwoch donnerstag freitag samstag/sonnabend",
    seasons: "frühling/frühjahr sommer herbst winter",
    relations: {
      within: "im|in|am|während des|diesen|im jahr",
      between: "zwischen|von",
      since: "seit|seit dem|seit der|ab",
      before: "vor|vor dem|vor der",
      until: "bis|bis zum|bis zur",
      after: "nach|nach dem|nach der",
    },
    lastOne: "letzten|letztes|vergangenen|vorigen",
    besideEvents: { since: "seit dem|seit der|seit", before: "bevor", after: "nachdem|nach dem|nach der" },
    howLong: "wie lange|wie viele {unit}",
    and: "und|bis",
    first:
      "zuerst|als erstes|zum ersten mal|das erste mal|beim ersten mal|ursprünglich|anfangs|früheste|frühesten",
    last: "zuletzt|zum letzten mal|das letzte mal|beim letzten mal|neueste|neuesten|jüngste",
    howLongAgo: "wie lange ist es her",
  },
  dutch: {
    days: { "0": "vandaag|vanmorgen|vanavond", "-1": "gisteren|gisteravond", "-2": "eergisteren" },
    units: { day: "dag|dagen", week: "week|weken", month: "maand|maanden", year: "jaar|jaren" },
    numbers: "een/één twee drie vier vijf zes zeven acht negen tien elf twaalf",
    previous: {
      week: "vorige week|afgelopen week",
      month: "vorige maand|afgelopen maand",
      quarter: "vorig kwartaal",
      year: "vorig jaar|afgelopen jaar",
      weekend: "vorig weekend|afgelopen weekend",
    },
    current: { week: "deze week", month: "deze maand", year: "dit jaar", weekend: "dit weekend" },
    ago: "{n} {unit} geleden",
    past: "laatste {n} {unit}|afgelopen {n} {unit}",
    months: "januari februari maart april mei juni juli augustus september oktober november december",
    weekdays: "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
    seasons: "lente/voorjaar zomer herfst winter",
    relations: {
      within: "in|in de|op|tijdens de",
      between: "tussen|van",
      since: "sinds|sinds de|vanaf",
      before: "voor|voor de|vóór|vóór de",
      until: "tot|tot en met",
      after: "na|na de",
    },
    lastOne: "afgelopen|vorige",
    besideEvents: { since: "sinds", before: "voordat", after: "nadat" },
    howLong: "hoe lang|hoelang|hoeveel {unit}",
    and: "en|tot",
    first: "voor het eerst|de eerste keer|oorspronkelijk",
    last: "voor het laatst|de laatste keer|laatst|nieuwste",
    howLongAgo: "hoe lang geleden|hoelang geleden",
  },
  french: {
    days: { "0": "aujourd'hui|ce matin|ce soir", "-1": "hier|hier soir", "-2": "avant-hier" },
    units: { day: "jour|jours", week: "semaine|semaines", month: "mois", year: "an|ans|année|années" },
    numbers: "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
    previous: {
      week: "semaine dernière|semaine passée",
      month: "mois dernier|mois passé",
      quarter: "trimestre dernier|dernier trimestre",
      year: "année dernière|an dernier|année passée|an passé",
      weekend: "week-end dernier|weekend dernier",
    },
    current: {
      week: "cette semaine",
      month: "ce mois|ce mois-ci",
      year: "cette année",
      weekend: "ce week-end|ce weekend",
    },
    ago: "il y a {n} {unit}",
    past: "{n} derniers {unit}|{n} dernières {unit}|derniers {n} {unit}",
    months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    weekdays: "dimanche lundi mardi mercredi jeudi vendredi samedi",
    seasons: "printemps été automne hiver",
    relations: {
      within: "en|au|au mois de|pendant le|pendant l'|durant l'",
      between: "entre|de",
      since: "depuis|depuis le|depuis l'|depuis la|à partir de",
      before: "avant|avant le|avant l'|avant la",
      until: "jusqu'à|jusqu'en|jusqu'au",
      after: "après|après le|après l'|après la",
    },
    besideEvents: { since: "depuis", before: "avant", after: "après" },
    howLong: "combien de temps|combien de {unit}|combien d'{unit}",
    and: "et|à",
    first: "la première fois|pour la première fois|à l'origine|au début",
    last: "la dernière fois|pour la dernière fois|dernièrement|le plus récent|la plus récente",
    howLongAgo: "depuis combien de temps|il y a combien de temps",
  },
  spanish: {
    days: { "0": "hoy|esta mañana|esta noche", "-1": "ayer|anoche", "-2": "anteayer|antes de ayer" },
    units: { day: "día|días", week: "semana|semanas", month: "mes|meses", year: "año|años" },
    numbers: "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    previous: {
      week: "semana pasada|pasada semana",
      month: "mes pasado|pasado mes",
      quarter: "trimestre pasado",
      year: "año pasado|pasado año",
      weekend: "fin de semana pasado|pasado fin de semana",
    },
    current: { week: "esta semana", month: "este mes", year: "este año", weekend: "este fin de semana" },
    ago: "hace {n} {unit}",
    past: "últimos {n} {unit}|últimas {n} {unit}",
    months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    weekdays: "domingo lunes martes miércoles jueves viernes sábado",
    seasons: "primavera verano otoño invierno",
    relations: {
      within: "en|en la|en el|durante el|durante la|el",
      between: "entre|de",
      since: "desde|desde el|desde la|a partir de",
      before: "antes de|antes del|antes de la",
      until: "hasta|hasta el|hasta la",
      after: "después de|después del|después de la|tras el|tras la",
    },
    besideEvents: { since: "desde", before: "antes de|antes del", after: "después de|después del" },
    howLong: "cuánto tiempo|cuántos {unit}|cuántas {unit}",
    and: "y|a|hasta",
    first: "la primera vez|por primera vez|originalmente|al principio",
    last: "la última vez|por última vez|últimamente|más reciente",
    howLongAgo: "cuánto hace que|cuánto tiempo hace que",
  },
  italian: {
    days: {
      "0": "oggi|stamattina|stasera",
      "-1": "ieri|ieri sera",
      "-2": "l'altro ieri|altro ieri|avantieri|ieri l'altro",
    },
    units: { day: "giorno|giorni", week: "settimana|settimane", month: "mese|mesi", year: "anno|anni" },
    numbers: "un/una/uno due tre quattro cinque sei sette otto nove dieci undici dodici",
    previous: {
      week: "settimana scorsa|scorsa settimana|settimana passata",
      month: "mese scorso|scorso mese|mese passato",
      quarter: "scorso trimestre|trimestre scorso",
      year: "anno scorso|scorso anno|anno passato",
      weekend: "scorso fine settimana|fine settimana scorso|scorso weekend",
    },
    current: {
      week: "questa settimana",
      month: "questo mese",
      year: "quest'anno|questo anno",
      weekend: "questo fine settimana",
    },
    ago: "{n} {unit} fa",
    past: "ultimi {n} {unit}|ultime {n} {unit}",
    months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    weekdays: "domenica lunedì martedì mercoledì giovedì venerdì sabato",
    seasons: "primavera estate autunno inverno",
    relations: {
      within: "in|nel|durante l'|durante la",
      between: "tra|fra|da",
      since: "da|dal|dalla|dall'|dopo",
      before: "prima di|prima del|prima della|prima dell'",
      until: "fino a|fino al|fino alla",
      after: "dopo|dopo il|dopo la|dopo l'",
    },
    besideEvents: { before: "prima di|prima del|prima della", after: "dopo" },
    howLong: "quanto tempo|quanti {unit}|quante {unit}",
    and: "e|a",
    first: "la prima volta|per la prima volta|all'inizio|originariamente",
    last: "l'ultima volta|per l'ultima volta|ultimamente|più recente",
    howLongAgo: "quanto tempo fa",
  },
  portuguese: {
    days: { "0": "hoje|hoje de manhã|hoje à noite", "-1": "ontem|ontem à noite", "-2": "anteontem" },
    units: { day: "dia|dias", week: "semana|semanas", month: "mês|meses", year: "ano|anos" },
    numbers: "um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze",
    previous: {
      week: "semana passada|última semana",
      month: "mês passado|último mês",
      quarter: "trimestre passado|último trimestre",
      year: "ano passado|último ano",
      weekend: "fim de semana passado|último fim de semana",
    },
    current: { week: "esta semana", month: "este mês", year: "este ano", weekend: "este fim de semana" },
    ago: "há {n} {unit}|{n} {unit} atrás|há {n} {unit} atrás",
    past: "últimos {n} {unit}|últimas {n} {unit}",
    months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    weekdays: "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
    seasons: "primavera verão outono inverno",
    relations: {
      within: "em|durante o|durante a",
      between: "entre|de",
      since: "desde|desde o|desde a|a partir de",
      before: "antes de|antes do|antes da",
      until: "até|até o|até a|até ao",
      after: "depois de|depois do|depois da|após o|após a",
    },
    besideEvents: {
      since: "desde",
      before: "antes de|antes do|antes da",
      after: "depois de|depois do|depois da",
    },
    howLong: "quanto tempo|quantos {unit}|quantas {unit}",
    and: "e|a|até",
    first: "a primeira vez|pela primeira vez|originalmente|no início",
    last: "a última vez|pela última vez|mais recente",
    howLongAgo: "há quanto tempo",
  },
  russian: {
    days: { "0": "сегодня", "-1": "вчера", "-2": "позавчера" },
    units: {
      day: "день|дня|дней",
      week: "неделю|недели|недель",
      month: "месяц|месяца|месяцев",
      year: "год|года|лет",
    },
    numbers: "один/одну два/две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    previous: {
      week: "прошлой неделе|прошлую неделю",
      month: "прошлом месяце|прошлый месяц",
      quarter: "прошлом квартале",
      year: "прошлом году|прошлый год",
      weekend: "прошлых выходных|прошлые выходные",
    },
    beforePrevious: { week: "позапрошлой неделе", month: "позапрошлом месяце", year: "позапрошлом году" },
    current: { week: "этой неделе", month: "этом месяце", quarter: "этом квартале", year: "этом году" },
    ago: "{n} {unit} назад|{unit} назад",
    past: "последние {n} {unit}|последних {n} {unit}",
    months:
      "январе/января феврале/февраля марте/марта апреле/апреля мае/мая июне/июня июле/июля августе/августа сентябре/сентября октябре/октября ноябре/ноября декабре/декабря",
    weekdays:
      "воскресенье/воскресенья понедельник/понедельника вторник/вторника среду/среды четверг/четверга пятницу/пятницы субботу/субботы",
    relations: {
      within: "в|во",
      since: "с|со|начиная с",
      before: "до",
      after: "после",
    },
    first: "впервые|в первый раз|сначала",
    last: "в последний раз|последний раз|недавно",
    howLongAgo: "как давно|сколько времени назад",
  },
  turkish: {
    days: { "0": "bugün|bu sabah|bu akşam", "-1": "dün|dün akşam", "-2": "evvelsi gün|önceki gün" },
    units: { day: "gün", week: "hafta", month: "ay", year: "yıl|sene" },
    numbers: "bir iki üç dört beş altı yedi sekiz dokuz on",
    previous: {
      week: "geçen hafta|geçtiğimiz hafta",
      month: "geçen ay|geçtiğimiz ay",
      year: "geçen yıl|geçen sene|geçtiğimiz yıl",
      weekend: "geçen hafta sonu",
    },
    current: { week: "bu hafta", month: "bu ay", year: "bu yıl|bu sene", weekend: "bu hafta sonu" },
    ago: "{n} {unit} önce",
    past: "son {n} {unit}",
    first: "ilk kez|ilk defa|ilk olarak",
    last: "son kez|son defa|en son",
    howLongAgo: "ne kadar önce",
  },
  arabic: {
    isJoined: true,
    days: { "0": "اليوم", "-1": "أمس|البارحة", "-2": "أول أمس|أول من أمس" },
    units: {
      day: "يوم|يوما|أيام",
      week: "أسبوع|أسابيع",
      month: "شهر|أشهر|شهور",
      year: "سنة|سنوات|عام|أعوام",
    },
    numbers:
      "واحد/واحدة اثنين/اثنان ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر",
    previous: {
      week: "الأسبوع الماضي",
      month: "الشهر الماضي",
      year: "العام الماضي|السنة الماضية",
    },
    current: { week: "هذا الأسبوع", month: "هذا الشهر", year: "هذا العام|هذه السنة" },
    ago: "قبل {n} {unit}|منذ {n} {unit}",
    first: "أول مرة|لأول مرة",
    last: "آخر مرة|لآخر مرة",
  },
  hebrew: {
    isJoined: true,
    days: { "0": "היום", "-1": "אתמול", "-2": "שלשום" },
    units: { day: "יום|ימים", week: "שבוע|שבועות", month: "חודש|חודשים", year: "שנה|שנים" },
    numbers: "אחד/אחת שני/שתי/שניים שלושה/שלוש ארבעה/ארבע חמישה/חמש שישה/שש שבעה/שבע שמונה תשעה/תשע עשרה/עשר",
    previous: { week: "שבוע שעבר", month: "חודש שעבר", year: "שנה שעברה" },
    current: { week: "השבוע", month: "החודש", year: "השנה" },
    ago: "לפני {n} {unit}",
    first: "בפעם הראשונה|לראשונה",
    last: "בפעם האחרונה|לאחרונה",
  },
  hindi: {
    days: { "0": "आज", "-1": "बीते कल|कल", "-2": "बीते परसों|परसों" },
    units: { day: "दिन", week: "हफ्ते|सप्ताह|हफ़्ते", month: "महीने|महीना", year: "साल|वर्ष" },
    numbers: "एक दो तीन चार पांच/पाँच छह/छः सात आठ नौ दस",
    previous: {
      week: "पिछले हफ्ते|पिछले हफ़्ते|पिछले सप्ताह",
      month: "पिछले महीने",
      year: "पिछले साल|पिछले वर्ष",
    },
    current: { week: "इस हफ्ते|इस हफ़्ते|इस सप्ताह", month: "इस महीने", year: "इस साल|इस वर्ष" },
    ago: "{n} {unit} पहले",
    past: "पिछले {n} {unit}",
    first: "पहली बार",
    last: "आखिरी बार|पिछली बार",
  },
  korean: {
    isJoined: true,
    days: { "0": "오늘", "-1": "어제", "-2": "그저께|그제" },
    units: { day: "일", week: "주", month: "달|개월", year: "년" },
    numbers: "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열",
    previous: {
      week: "지난주|지난 주|저번 주",
      month: "지난달|지난 달|저번 달",
      year: "작년|지난해|지난 해",
    },
    beforePrevious: { week: "지지난주", month: "지지난달", year: "재작년" },
    current: { week: "이번 주|이번주", month: "이번 달|이번달", year: "올해" },
    ago: "{n} {unit} 전",
    past: "지난 {n} {unit}",
    first: "처음으로|처음",
    last: "마지막으로|최근에",
  },
  vietnamese: {
    days: { "0": "hôm nay", "-1": "hôm qua", "-2": "hôm kia" },
    units: { day: "ngày", week: "tuần", month: "tháng", year: "năm" },
    numbers: "một hai ba bốn năm sáu bảy tám chín mười",
    previous: { week: "tuần trước|tuần rồi", month: "tháng trước|tháng rồi", year: "năm ngoái|năm trước" },
    current: { week: "tuần này", month: "tháng này", year: "năm nay" },
    ago: "{n} {unit} trước",
    past: "{n} {unit} qua",
    first: "lần đầu tiên|lần đầu",
    last: "lần cuối|gần đây nhất",
  },
  chinese: {
    isJoined: true,
    days: { "0": "今天", "-1": "昨天|昨日", "-2": "前天" },
    units: { day: "天|日", week: "周|週|个星期|個星期|星期", month: "个月|個月", year: "年" },
    numbers: "一 两/兩/二 三 四 五 六 七 八 九 十",
    previous: {
      week: "上周|上週|上星期|上个星期|上個星期",
      month: "上个月|上個月|上月",
      quarter: "上季度",
      year: "去年",
      weekend: "上周末|上週末",
    },
    beforePrevious: { week: "上上周|上上週", month: "上上个月|上上個月", year: "前年" },
    current: {
      week: "这周|這週|本周|本週|这个星期",
      month: "这个月|這個月|本月",
      quarter: "本季度",
      year: "今年",
    },
    ago: "{n} {unit}前",
    past: "过去 {n} {unit}|過去 {n} {unit}|最近 {n} {unit}",
    first: "第一次|最早|首次",
    last: "最后一次|最後一次|上一次|上次|最近一次|最新",
  },
};
