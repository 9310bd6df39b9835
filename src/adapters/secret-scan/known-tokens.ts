import { TOKEN_PREFIXES } from "../../core/access/credential.ts";
import type { Finding } from "../../core/secrets/secret-scanner.ts";
import { isBlankedOut } from "./plausible.ts";

interface TokenForm {
  readonly kind: string;
  /** The literal prefixes, by which it is found. */
  readonly starts: readonly string[];
  /** What follows: runs of characters with nothing after them that could fail, so that matching is linear. */
  readonly body: RegExp;
  /** Set where the prefix only announces the secret, and is kept. */
  readonly keepsStart?: true;
}

const ALNUM_20 = /[A-Za-z0-9]{20,}/y;
const WORD_36 = /[A-Za-z0-9_]{36,}/y;
const URL_SAFE_20 = /[A-Za-z0-9_-]{20,}/y;
const URL_SAFE_40 = /[A-Za-z0-9_-]{40,}/y;
const HEX_32 = /[0-9a-f]{32,}/y;
const SEGMENTS = /[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){2,4}/y;

/**
 * Tokens that name their issuer by a prefix. The forms are those that the issuers document, and that secretlint's
 * recommended preset (11.7) and gitleaks' default rules look for.
 */
const FORMS: readonly TokenForm[] = [
  {
    kind: "recollect_token",
    starts: Object.values(TOKEN_PREFIXES),
    body: URL_SAFE_20,
  },
  { kind: "github_token", starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], body: WORD_36 },
  { kind: "gitlab_token", starts: ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"], body: URL_SAFE_20 },
  {
    kind: "slack_token",
    starts: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxo-", "xoxs-", "xapp-"],
    body: /[A-Za-z0-9-]{20,}/y,
  },
  {
    kind: "slack_webhook",
    starts: ["https://hooks.slack.com/services/", "https://hooks.slack.com/workflows/"],
    body: /T[A-Za-z0-9]{6,}\/[AB][A-Za-z0-9]{6,}\/[A-Za-z0-9/]{16,}/y,
  },
  {
    kind: "discord_webhook",
    starts: ["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"],
    body: /\d{17,20}\/[A-Za-z0-9_-]{40,}/y,
  },
  { kind: "anthropic_key", starts: ["sk-ant-"], body: URL_SAFE_40 },
  { kind: "openrouter_key", starts: ["sk-or-v1-"], body: HEX_32 },
  { kind: "openai_key", starts: ["sk-proj-", "sk-svcacct-", "sk-admin-"], body: URL_SAFE_20 },
  { kind: "openai_key", starts: ["sk-"], body: /[A-Za-z0-9]{32,}/y },
  // An id, no secret by itself, but where it is written its secret is not far.
  { kind: "aws_access_key_id", starts: ["AKIA", "ASIA"], body: /[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { kind: "groq_key", starts: ["gsk_"], body: /[A-Za-z0-9]{40,}/y },
  { kind: "xai_key", starts: ["xai-"], body: /[A-Za-z0-9]{60,}/y },
  { kind: "perplexity_key", starts: ["pplx-"], body: /[A-Za-z0-9]{32,}/y },
  { kind: "replicate_token", starts: ["r8_"], body: /[A-Za-z0-9]{37,}/y },
  { kind: "huggingface_token", starts: ["hf_", "api_org_"], body: /[A-Za-z0-9]{34,}/y },
  { kind: "google_api_key", starts: ["AIza"], body: /[A-Za-z0-9_-]{35,}/y },
  { kind: "google_oauth_token", starts: ["ya29.", "GOCSPX-"], body: URL_SAFE_20 },
  {
    kind: "stripe_key",
    starts: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    body: ALNUM_20,
  },
  { kind: "sendgrid_key", starts: ["SG."], body: /[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{20,}/y },
  { kind: "npm_token", starts: ["npm_"], body: WORD_36 },
  { kind: "pypi_token", starts: ["pypi-AgE"], body: URL_SAFE_40 },
  { kind: "docker_token", starts: ["dckr_pat_", "dckr_oat_"], body: URL_SAFE_20 },
  {
    kind: "shopify_token",
    starts: ["shpat_", "shpca_", "shppa_", "shpss_"],
    body: /[A-Za-z0-9]{32,}/y,
  },
  { kind: "linear_key", starts: ["lin_api_", "lin_oauth_"], body: /[A-Za-z0-9]{32,}/y },
  { kind: "onepassword_token", starts: ["ops_eyJ"], body: /[A-Za-z0-9+/=_-]{100,}/y },
  { kind: "digitalocean_token", starts: ["dop_v1_", "doo_v1_", "dor_v1_"], body: HEX_32 },
  { kind: "databricks_token", starts: ["dapi"], body: HEX_32 },
  { kind: "vault_token", starts: ["hvs.", "hvb."], body: URL_SAFE_20 },
  { kind: "doppler_token", starts: ["dp.pt.", "dp.st."], body: /[A-Za-z0-9._-]{40,}/y },
  { kind: "notion_token", starts: ["ntn_"], body: /[A-Za-z0-9]{40,}/y },
  { kind: "atlassian_token", starts: ["ATATT3"], body: /[A-Za-z0-9_=-]{100,}/y },
  { kind: "grafana_token", starts: ["glsa_", "glc_"], body: /[A-Za-z0-9+/=_]{32,}/y },
  { kind: "newrelic_key", starts: ["NRAK-"], body: /[A-Z0-9]{27,}/y },
  { kind: "postman_key", starts: ["PMAK-"], body: /[0-9a-f]{24}-[0-9a-f]{34,}/y },
  { kind: "figma_token", starts: ["figd_"], body: URL_SAFE_40 },
  { kind: "supabase_token", starts: ["sbp_"], body: HEX_32 },
  { kind: "planetscale_token", starts: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], body: URL_SAFE_20 },
  { kind: "tailscale_key", starts: ["tskey-"], body: /[a-z]{3,8}-[A-Za-z0-9-]{20,}/y },
  { kind: "age_key", starts: ["AGE-SECRET-KEY-1"], body: /[0-9A-Z]{58,}/y },
  { kind: "azure_storage_key", starts: ["AccountKey="], body: /[A-Za-z0-9+/]{86,}={0,2}/y, keepsStart: true },
  { kind: "jwt", starts: ["eyJ"], body: SEGMENTS },
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

/** The tokens of known issuers. */
export function knownTokens(text: string): Finding[] {
  const findings: Finding[] = [];
  START.lastIndex = 0;
  for (let start = START.exec(text); start; start = START.exec(text)) {
    const from = start.index + start[0].length;
    for (const form of FORMS) {
      if (!form.starts.includes(start[0])) continue;
      form.body.lastIndex = from;
      const body = form.body.exec(text);
      if (!body) continue;
      // Goes on behind what was read, secret or not: `ghp_ghp_ghp_…` would be read again from each prefix.
      START.lastIndex = from + body[0].length;
      if (isBlankedOut(body[0])) continue;
      findings.push({
        kind: form.kind,
        start: form.keepsStart ? from : start.index,
        end: START.lastIndex,
      });
      break;
    }
  }
  return findings;
}
