import fc from "fast-check";
import { expect, test } from "vitest";
import { lexicon } from "../../support/recall-fixtures.ts";

const pieces = (text: string) => new Set(lexicon.terms(text).terms.map(({ piece }) => piece));

/** The share of the weight of a query's terms that a text has. */
function matched(query: string, text: string): number {
  const held = pieces(text);
  const { terms } = lexicon.terms(query);
  const weight = (of: typeof terms) => of.reduce((sum, { share }) => sum + share, 0);
  return weight(terms.filter(({ piece }) => held.has(piece))) / weight(terms);
}

test("a text of ASCII words that the vocabulary has is compared by its word pieces alone", () => {
  const text = "The doctor's phone number is 555-0199.";
  expect(lexicon.terms(text)).toEqual({
    terms: lexicon.pieces(text).map((piece) => ({ piece, share: 1, of: null })),
    length: lexicon.pieces(text).length,
  });
});

test("rare words in an English text are compared by their word pieces alone", () => {
  const text = "We moved the Kubernetes cluster of Okonkwo to another region last Tuesday.";
  expect(lexicon.pieces(text).length).toBeGreaterThan(text.split(" ").length + 3);
  expect([...pieces(text)]).toEqual([...new Set(lexicon.pieces(text))]);
});

test.each([
  ["German", "Wir haben die Besprechung auf den nächsten Dienstag verschoben."],
  ["French", "Nous avons déplacé le rendez-vous chez le dentiste à mardi prochain."],
  ["Spanish", "La cita con el dentista se cambió al próximo martes."],
  ["Finnish", "Hammaslääkärin aika siirrettiin ensi tiistaille."],
])("words in a %s text are compared by their parts too", (_, text) => {
  expect(pieces(text).size).toBeGreaterThan(2 * new Set(lexicon.pieces(text)).size);
});

const SAME: readonly (readonly [why: string, string, string])[] = [
  ["full-width Latin", "Ｉｎｖｏｉｃｅ　９５", "invoice 95"],
  ["half-width katakana", "ｺｰﾋｰ", "コーヒー"],
  ["katakana and hiragana", "リンゴ", "りんご"],
  ["traditional and simplified characters", "圖書館裡的腳踏車", "图书馆里的脚踏车"],
  ["Arabic vowel points", "كِتَابٌ", "كتاب"],
  ["a stretched Arabic word", "كتـــاب", "كتاب"],
  ["Hebrew vowel points", "סֵפֶר", "ספר"],
  ["Greek accents, capitals and final sigma", "ΔΡΌΜΟΣ", "δρομος"],
  ["ё", "чёрный", "черный"],
  ["nukta", "बाज़ार", "बाजार"],
  ["nasals", "मन्दिर", "मंदिर"],
  ["Thai digits", "ห้อง ๔๒", "ห้อง 42"],
  ["Arabic digits", "غرفة ٤٢", "غرفة 42"],
  ["composed and decomposed Hangul", "도서관".normalize("NFD"), "도서관"],
];

test.each(SAME)("%s make no difference", (_, one, other) => {
  expect(pieces(one)).toEqual(pieces(other));
});

const FORMS: readonly (readonly [script: string, asked: string, stored: string, other: string])[] = [
  ["Thai", "กาแฟดำ", "เมื่อวานสมชายซื้อกาแฟดำที่ตลาด", "เมื่อวานสมชายซื้อรองเท้าที่ตลาด"],
  ["Khmer", "សៀវភៅ", "សុខាបានទិញសៀវភៅថ្មី", "សុខាបានទិញឆ័ត្រក្រហម"],
  ["Chinese", "自行车", "小明买了旧自行车", "小明买了红色雨伞"],
  ["Korean", "도서관은", "민수가 도서관에서 기다렸다", "민수가 병원에서 기다렸다"],
  ["Arabic", "للمكتبات", "في المَكْتَبَة", "في المستشفى"],
  ["Hebrew", "לספריות", "בַּסִּפְרִיָּה", "בבית החולים"],
  ["Russian", "библиотеками", "в библиотеке", "в больнице"],
  ["Finnish", "polkupyörien", "polkupyörällä", "sateenvarjolla"],
  ["German", "Regenschirme", "Kinderregenschirm", "Kinderfahrrad"],
];

test.each(FORMS)(
  "another form of a %s word matches more of it than of another word",
  (_, asked, ...texts) => {
    const [stored, other] = texts.map((text) => matched(asked, text)) as [number, number];
    expect(stored).toBeGreaterThan(2 * other);
  },
);

test("a word with its marks matches itself better than the one without", () => {
  expect(matched("bàn", "một cái bàn")).toBe(1);
  expect(matched("bàn", "một người bạn")).toBeLessThan(1);
});

test("terms are as many as the text is long, at most four for each character", () => {
  const character = fc.constantFrom(...'aZß ğç.я1中アｱก่កက한ㅎאִבكِ١ृकि\u0301\u200d🎉\n"');
  const text = fc.array(character, { maxLength: 300 }).map((characters) => characters.join(""));
  fc.assert(
    fc.property(text, (some) => {
      const { terms, length } = lexicon.terms(some);
      expect(terms.length).toBeLessThanOrEqual(4 * some.normalize("NFKD").length);
      expect(length).toBeLessThanOrEqual(terms.length);
      for (const { share } of terms) expect(share > 0 && share <= 1).toBe(true);
    }),
  );
});
