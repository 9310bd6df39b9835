import type { Language } from "./language.ts";
import { ar } from "./texts/ar.ts";
import { cs } from "./texts/cs.ts";
import { de } from "./texts/de.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { fr } from "./texts/fr.ts";
import { hi } from "./texts/hi.ts";
import { it } from "./texts/it.ts";
import { ja } from "./texts/ja.ts";
import { ko } from "./texts/ko.ts";
import { nl } from "./texts/nl.ts";
import { pl } from "./texts/pl.ts";
import { pt } from "./texts/pt.ts";
import { ru } from "./texts/ru.ts";
import { sv } from "./texts/sv.ts";
import { th } from "./texts/th.ts";
import { tr } from "./texts/tr.ts";
import { uk } from "./texts/uk.ts";
import { zh } from "./texts/zh.ts";
import { zhTw } from "./texts/zh-tw.ts";

export const ENGLISH = en;

/** Every language but English. */
export const LANGUAGES: readonly Language[] = [
  ar,
  cs,
  de,
  es,
  fr,
  hi,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  sv,
  th,
  tr,
  uk,
  zh,
  zhTw,
];
