import type { Language } from "./language.ts";
import { de } from "./texts/de.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { fr } from "./texts/fr.ts";
import { it } from "./texts/it.ts";
import { nl } from "./texts/nl.ts";

export const ENGLISH = en;

/** Every language but English. */
export const LANGUAGES: readonly Language[] = [de, es, fr, it, nl];
