import { TOKEN_PREFIXES } from "../../core/access/token-prefixes.ts";
import type { Finding } from "../../core/secrets/secret-scanner.ts";
import { isBlankedOut, isIdentifier } from "./plausible.ts";
import { FormReader, run, type TokenForm } from "./token-form.ts";

const ALNUM = "A-Za-z0-9";
const WORD = "A-Za-z0-9_";
const URL_SAFE = "A-Za-z0-9_-";
const HEX = "0-9a-f";

const repeated = <T>(times: number, make: () => T): T[] => Array.from({ length: times }, make);

/**
 * Tokens that name their issuer by a prefix. The forms are those that the issuers document, and that secretlint's
 * recommended preset (11.7) and gitleaks' default rules look for. A run has no upper bound where the token is its last
 * part: what follows a token directly is masked with it.
 */
export const FORMS: readonly TokenForm[] = [
  { kind: "recollect_token", starts: Object.values(TOKEN_PREFIXES), body: [run(URL_SAFE, 20)] },
  {
    kind: "github_token",
    starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    body: [run(WORD, 36)],
  },
  {
    kind: "gitlab_token",
    starts: ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"],
    body: [run(URL_SAFE, 20)],
  },
  {
    kind: "slack_token",
    starts: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxo-", "xoxs-", "xapp-"],
    body: [run("A-Za-z0-9-", 20)],
  },
  {
    kind: "slack_webhook",
    starts: ["https://hooks.slack.com/services/", "https://hooks.slack.com/workflows/"],
    body: ["T", run(ALNUM, 6), "/", run(ALNUM, 7), "/", run(`${ALNUM}/`, 16)],
  },
  {
    kind: "discord_webhook",
    starts: ["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"],
    body: [run("0-9", 17, 20), "/", run(URL_SAFE, 40)],
  },
  { kind: "anthropic_key", starts: ["sk-ant-"], body: [run(URL_SAFE, 40)] },
  { kind: "openrouter_key", starts: ["sk-or-v1-"], body: [run(HEX, 32)] },
  { kind: "openai_key", starts: ["sk-proj-", "sk-svcacct-", "sk-admin-"], body: [run(URL_SAFE, 20)] },
  { kind: "openai_key", starts: ["sk-"], body: [run(ALNUM, 32)] },
  // An id is not a secret itself, but its secret is usually nearby.
  { kind: "aws_access_key_id", starts: ["AKIA", "ASIA"], body: [run("A-Z0-9", 16, 16)] },
  { kind: "groq_key", starts: ["gsk_"], body: [run(ALNUM, 40)] },
  { kind: "xai_key", starts: ["xai-"], body: [run(ALNUM, 60)] },
  { kind: "perplexity_key", starts: ["pplx-"], body: [run(ALNUM, 32)] },
  { kind: "replicate_token", starts: ["r8_"], body: [run(ALNUM, 37)] },
  { kind: "huggingface_token", starts: ["hf_", "api_org_"], body: [run(ALNUM, 34)] },
  { kind: "google_api_key", starts: ["AIza"], body: [run(URL_SAFE, 35)] },
  { kind: "google_oauth_token", starts: ["ya29.", "GOCSPX-"], body: [run(URL_SAFE, 20)] },
  {
    kind: "stripe_key",
    starts: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    body: [run(ALNUM, 20)],
  },
  { kind: "sendgrid_key", starts: ["SG."], body: [run(URL_SAFE, 16), ".", run(URL_SAFE, 20)] },
  { kind: "npm_token", starts: ["npm_"], body: [run(WORD, 36)] },
  { kind: "pypi_token", starts: ["pypi-AgE"], body: [run(URL_SAFE, 40)] },
  { kind: "docker_token", starts: ["dckr_pat_", "dckr_oat_"], body: [run(URL_SAFE, 20)] },
  {
    kind: "shopify_token",
    starts: ["shpat_", "shpca_", "shppa_", "shpss_"],
    body: [run(ALNUM, 32)],
  },
  { kind: "linear_key", starts: ["lin_api_", "lin_oauth_"], body: [run(ALNUM, 32)] },
  { kind: "onepassword_token", starts: ["ops_eyJ"], body: [run("A-Za-z0-9+/=_-", 100)] },
  { kind: "digitalocean_token", starts: ["dop_v1_", "doo_v1_", "dor_v1_"], body: [run(HEX, 32)] },
  {
    kind: "databricks_token",
    starts: ["dapi"],
    body: [run(HEX, 32)],
    more: [["-", run("0-9", 1, 1)]],
  },
  { kind: "vault_token", starts: ["hvs.", "hvb."], body: [run(URL_SAFE, 20)] },
  { kind: "doppler_token", starts: ["dp.pt.", "dp.st."], body: [run(URL_SAFE, 40)] },
  // The environment comes first.
  { kind: "doppler_token", starts: ["dp.st."], body: [run(URL_SAFE, 2, 35), ".", run(URL_SAFE, 40)] },
  { kind: "notion_token", starts: ["ntn_"], body: [run(ALNUM, 40)] },
  { kind: "atlassian_token", starts: ["ATATT3"], body: [run("A-Za-z0-9_=-", 100)] },
  { kind: "grafana_token", starts: ["glsa_"], body: [run(ALNUM, 32), "_", run(HEX, 8)] },
  { kind: "grafana_token", starts: ["glc_"], body: [run("A-Za-z0-9+/=", 32)] },
  { kind: "newrelic_key", starts: ["NRAK-"], body: [run("A-Z0-9", 27)] },
  { kind: "postman_key", starts: ["PMAK-"], body: [run(HEX, 24, 24), "-", run(HEX, 34)] },
  { kind: "figma_token", starts: ["figd_"], body: [run(URL_SAFE, 40)] },
  { kind: "supabase_token", starts: ["sbp_"], body: [run(HEX, 32)] },
  {
    kind: "planetscale_token",
    starts: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
    body: [run("A-Za-z0-9_=-", 20)],
    more: repeated(4, () => [".", run("A-Za-z0-9_=-", 1)]),
  },
  { kind: "tailscale_key", starts: ["tskey-"], body: [run("a-z", 3, 8), "-", run("A-Za-z0-9-", 20)] },
  { kind: "age_key", starts: ["AGE-SECRET-KEY-1"], body: [run("0-9A-Z", 58)] },
  { kind: "azure_storage_key", starts: ["AccountKey="], body: [run("A-Za-z0-9+/=", 86)], keepsStart: true },
  {
    kind: "jwt",
    starts: ["eyJ"],
    body: [run(URL_SAFE, 10), ".", run(URL_SAFE, 10), ".", run(URL_SAFE, 10)],
    more: repeated(2, () => [".", run(URL_SAFE, 10)]),
  },
  // Encrypted, with a key that both sides have: its second part is empty.
  {
    kind: "jwt",
    starts: ["eyJ"],
    body: [run(URL_SAFE, 10), "..", run(URL_SAFE, 10), ".", run(URL_SAFE, 1), ".", run(URL_SAFE, 10)],
  },
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Longest first: `sk-ant-` is no `sk-`. ASCII on purpose, so that a token may follow a word in Chinese. */
const START = new RegExp(
  `(?<![A-Za-z0-9])(?:${FORMS.flatMap((form) => form.starts)
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|")})`,
  "g",
);

const FORMS_BY_START: ReadonlyMap<string, readonly TokenForm[]> = new Map(
  FORMS.flatMap((form) => form.starts).map((start) => [
    start,
    FORMS.filter((form) => form.starts.includes(start)),
  ]),
);

const isHarmless = (body: string) => isBlankedOut(body) || isIdentifier(body);
/** Longer than any masked placeholder or name. */
const HARMLESS_MAX = 128;

/**
 * The tokens of known issuers; they may overlap, where one begins within another. Linear: a character is compared with
 * the prefixes, of 36 characters at the most, and read by each run of a form once at most. A prefix leads to two forms
 * at the most, of nine runs together. Of what is found, 128 characters at the most are looked at again.
 */
export function knownTokens(text: string): Finding[] {
  const findings: Finding[] = [];
  const readers = new Map<TokenForm, FormReader>();
  const endOf = (form: TokenForm, from: number) => {
    const reader = readers.get(form) ?? new FormReader(form, text);
    readers.set(form, reader);
    return reader.endOf(from);
  };
  START.lastIndex = 0;
  // The search goes on behind the prefix, found or not: where a token ends, one that began within it may not.
  for (let start = START.exec(text); start; start = START.exec(text)) {
    const from = start.index + start[0].length;
    for (const form of FORMS_BY_START.get(start[0]) ?? []) {
      const end = endOf(form, from);
      if (end === null) continue;
      if (end - from <= HARMLESS_MAX && isHarmless(text.slice(from, end))) continue;
      findings.push({ kind: form.kind, start: form.keepsStart ? from : start.index, end });
      break;
    }
  }
  return findings;
}
