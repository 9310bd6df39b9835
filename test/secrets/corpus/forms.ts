import { TOKEN_PREFIXES } from "../../../src/core/access/credential.ts";
import type { SeededRandom } from "./random.ts";

/**
 * What secrets look like, by those who issue them. Each is put together when it is asked for, so that no scanner finds
 * one in this repository. None was ever valid.
 */
export interface SecretForm {
  /** As findings name it. */
  readonly kind: string;
  /** Only where two forms share a kind. */
  readonly variant?: string;
  readonly looksLike: string;
  readonly source: string;
  /** One for each of its beginnings. */
  readonly make: readonly ((random: SeededRandom) => string)[];
  /** Where it does not stand by itself: what it stands in, with `{}` for it. */
  readonly within?: readonly string[];
}

type Body = (random: SeededRandom) => string;
const starting = (starts: readonly string[], body: Body) =>
  starts.map((start) => (random: SeededRandom) => start + body(random));
const joined =
  (...parts: readonly (string | Body)[]): Body =>
  (random) =>
    parts.map((part) => (typeof part === "string" ? part : part(random))).join("");
const alnum =
  (least: number, most?: number): Body =>
  (random) =>
    random.text("alnum", least, most);
const urlSafe =
  (least: number, most?: number): Body =>
  (random) =>
    // The last one is a letter or a digit, so that what ends a sentence is not in doubt.
    random.text("urlSafe", least - 1, most === undefined ? undefined : most - 1) + random.text("alnum", 1);
const hex =
  (length: number): Body =>
  (random) =>
    random.text("hex", length);
const digits =
  (least: number, most?: number): Body =>
  (random) =>
    random.text("digits", least, most);
const upper =
  (length: number): Body =>
  (random) =>
    random.text("upperDigits", length);
const base64 =
  (length: number): Body =>
  (random) =>
    random.text("base64", length);

const jsonStart = (text: string) => Buffer.from(text).toString("base64url");
const HEADERS = [
  '{"alg":"HS256","typ":"JWT"}',
  '{"alg":"RS256","kid":"2026-03"}',
  '{"typ":"JWT","alg":"ES256"}',
];
const claims = (random: SeededRandom) =>
  jsonStart(
    `{"sub":"${random.text("digits", 10)}","iat":${random.text("digits", 10)},"name":"${random.text("lower", 8)}"}`,
  );

const LABELS = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "];
function pem(label: string, lineBreak: string): Body {
  return (random) => {
    const lines = Array.from({ length: 4 + random.below(20) }, () => random.text("base64", 64));
    const dashes = "-".repeat(5);
    return [
      `${dashes}BEGIN ${label}${dashes}`,
      ...lines,
      `${random.text("base64", 30)}==`,
      `${dashes}END ${label}${dashes}`,
    ].join(lineBreak);
  };
}

const WORDS = [
  "Sommer",
  "tiger",
  "Kaffee",
  "dragon",
  "Berlin",
  "monkey",
  "winter",
  "Falcon",
  "sakura",
  "Zebra",
];
/** As people choose them: a word with digits or symbols, and as password managers do. */
const chosen: readonly Body[] = [
  (random) => `${random.of(WORDS)}${random.text("digits", 2, 4)}!`,
  (random) => `${random.of(WORDS)}${random.of(["#", "@", "$", "&", "%"])}${random.text("digits", 2, 4)}`,
  (random) => `${random.text("lower", 3, 5)}${random.text("digits", 3, 5)}${random.text("lower", 2, 4)}`,
  (random) =>
    `${random.of(WORDS)}-${random.text("lower", 4)}-${random.text("digits", 4)}-${random.of(WORDS)}`,
  (random) => `${random.text("alnum", 5)}${random.of(["!", "#", "*", "+"])}${random.text("alnum", 6, 14)}1`,
];
const random32 = [alnum(32, 48), hex(40), joined(alnum(20), "_", alnum(20))];

/** Where something is called a password. */
export const PASSWORD_PLACES = [
  "The password is {} for now",
  "The wifi password is {} at the office",
  "password: {}",
  "Password: {}\nUser: bob",
  "The password for the staging database is {}",
  "We changed the password to {} today",
  "passwd: {}",
  "pwd: {}",
  "The passphrase is {} and nobody else knows it",
  'const password = "{}";',
  "password = '{}'",
  '{"user":"bob","password":"{}"}',
  "DB_PASSWORD={}",
  "export PGPASSWORD={}\nexport PGUSER=app",
  "mysql --password {} -u root",
  "https://x.example.org/login?user=a&password={}&next=/",
  "db:\n  user: app\n  password: {}\n",
  "| user | password: {} |",
  "Das Passwort lautet {}",
  "Das Kennwort ist {}",
  "Le mot de passe est {}",
  "La contraseña es {}",
  "A senha é {}",
  "Пароль: {}",
  "密码是{}，不要告诉别人",
  "密码：{}",
  "パスワードは{}です。",
  "비밀번호는 {} 입니다",
];

/** Where something is called a key, a secret or a token. */
export const KEY_PLACES = [
  "The API key is {} for now",
  "api_key: {}",
  'apiKey: "{}",',
  '{"api_key":"{}","region":"eu"}',
  "API_KEY={}",
  "CLIENT_SECRET={}\nCLIENT_ID=web",
  "client_secret = '{}'",
  "aws_secret_access_key = {}",
  "export SECRET_KEY={}",
  "The client secret is {} and lives for a year",
  "access_token={}&state=1",
  "https://x.example.org/feed?api_key={}&page=2",
  "auth:\n  access_token: {}\n",
  "refresh token: {}",
  "signing_key: {}",
  "The encryption key for the backups is {}",
];

/** By prefix, each with its issuer's beginnings. */
const BY_PREFIX: readonly SecretForm[] = [
  {
    kind: "recollect_token",
    looksLike: "43 of base64url",
    source: "this service",
    make: starting(Object.values(TOKEN_PREFIXES), urlSafe(43)),
  },
  {
    kind: "github_token",
    looksLike: "36 letters and digits; fine-grained: 22, `_`, 59",
    source: "GitHub, token formats; gitleaks `github-pat` and its like",
    make: [
      ...starting(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], alnum(36)),
      ...starting(["github_pat_"], joined(alnum(22), "_", alnum(59))),
    ],
  },
  {
    kind: "gitlab_token",
    looksLike: "20 or more of base64url",
    source: "GitLab, token prefixes; gitleaks `gitlab-pat` and its like",
    make: starting(["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"], urlSafe(20, 40)),
  },
  {
    kind: "slack_token",
    looksLike: "numbers and 24 to 64 characters, with `-` between them",
    source: "Slack, token types; gitleaks `slack-bot-token` and its like",
    make: [
      ...starting(["xoxb-"], joined(digits(10, 13), "-", digits(10, 13), "-", alnum(24))),
      ...starting(
        ["xoxp-", "xoxa-", "xoxr-", "xoxo-", "xoxs-"],
        joined(digits(11), "-", digits(11), "-", digits(12), "-", hex(32)),
      ),
      ...starting(["xapp-"], joined("1-A", upper(10), "-", digits(13), "-", hex(64))),
    ],
  },
  {
    kind: "slack_webhook",
    looksLike: "`T…/B…/` and 24 letters and digits",
    source: "Slack, incoming webhooks; gitleaks `slack-webhook-url`",
    make: ["services", "workflows"].map((path) =>
      joined(
        "https://hooks.",
        `slack.com/${path}/`,
        "T",
        upper(10),
        "/",
        path === "services" ? "B" : "A",
        upper(10),
        "/",
        alnum(24),
      ),
    ),
  },
  {
    kind: "discord_webhook",
    looksLike: "a number of 17 to 20 digits, `/` and 68 of base64url",
    source: "Discord, webhook resource",
    make: starting(
      ["https://discord.com/api/", "https://discordapp.com/api/"].map((start) => `${start}webhooks/`),
      joined(digits(17, 20), "/", urlSafe(68)),
    ),
  },
  {
    kind: "anthropic_key",
    looksLike: "`api03-` or `admin01-`, 93 of base64url, `AA`",
    source: "gitleaks `anthropic-api-key`, `anthropic-admin-api-key`",
    make: [
      ...starting(["sk-ant-"], joined("api03-", urlSafe(93), "AA")),
      ...starting(["sk-ant-"], joined("admin01-", urlSafe(93), "AA")),
    ],
  },
  {
    kind: "openrouter_key",
    looksLike: "64 hexadecimal digits",
    source: "OpenRouter, as issued",
    make: starting(["sk-or-v1-"], hex(64)),
  },
  {
    kind: "openai_key",
    looksLike: "74 of base64url, `T3BlbkFJ`, 74; older: 20, `T3BlbkFJ`, 20",
    source: "gitleaks `openai-api-key`",
    make: [
      ...starting(["sk-proj-", "sk-svcacct-", "sk-admin-"], joined(urlSafe(74), "T3Blbk", "FJ", urlSafe(74))),
      ...starting(["sk-"], joined(alnum(20), "T3Blbk", "FJ", alnum(20))),
    ],
  },
  {
    kind: "aws_access_key_id",
    looksLike: "16 capitals and digits",
    source: "AWS, IAM unique identifiers; gitleaks `aws-access-token`",
    make: starting(["AKIA", "ASIA"], upper(16)),
  },
  {
    kind: "groq_key",
    looksLike: "52 letters and digits",
    source: "Groq, as issued",
    make: starting(["gsk_"], alnum(52)),
  },
  {
    kind: "xai_key",
    looksLike: "80 letters and digits",
    source: "xAI, as issued",
    make: starting(["xai-"], alnum(80)),
  },
  {
    kind: "perplexity_key",
    looksLike: "48 letters and digits",
    source: "gitleaks `perplexity-api-key`",
    make: starting(["pplx-"], alnum(48)),
  },
  {
    kind: "replicate_token",
    looksLike: "37 letters and digits",
    source: "Replicate, as issued",
    make: starting(["r8_"], alnum(37)),
  },
  {
    kind: "huggingface_token",
    looksLike: "34 letters and digits",
    source: "gitleaks `huggingface-access-token` and its like",
    make: starting(["hf_", "api_org_"], alnum(34)),
  },
  {
    kind: "google_api_key",
    looksLike: "35 of base64url",
    source: "gitleaks `gcp-api-key`",
    make: starting(["AIza"], urlSafe(35)),
  },
  {
    kind: "google_oauth_token",
    looksLike: "28 or more of base64url",
    source: "Google, OAuth 2.0, as issued",
    make: [...starting(["ya29."], urlSafe(60, 200)), ...starting(["GOCSPX-"], urlSafe(28))],
  },
  {
    kind: "stripe_key",
    looksLike: "24 to 99 letters and digits",
    source: "Stripe, API keys; gitleaks `stripe-access-token`",
    make: starting(["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], alnum(24, 99)),
  },
  {
    kind: "sendgrid_key",
    looksLike: "22 of base64url, `.`, 43",
    source: "gitleaks `sendgrid-api-token`",
    make: starting(["SG."], joined(urlSafe(22), ".", urlSafe(43))),
  },
  {
    kind: "npm_token",
    looksLike: "36 letters and digits",
    source: "npm, access tokens; gitleaks `npm-access-token`",
    make: starting(["npm_"], alnum(36)),
  },
  {
    kind: "pypi_token",
    looksLike: "50 or more of base64url",
    source: "PyPI, API tokens; gitleaks `pypi-upload-token`",
    make: starting(["pypi-AgE"], joined("IcHlwaS5vcmc", urlSafe(70, 160))),
  },
  {
    kind: "docker_token",
    looksLike: "27 to 32 of base64url",
    source: "Docker, access tokens, as issued",
    make: starting(["dckr_pat_", "dckr_oat_"], urlSafe(27, 32)),
  },
  {
    kind: "shopify_token",
    looksLike: "32 hexadecimal digits",
    source: "gitleaks `shopify-access-token` and its like",
    make: starting(["shpat_", "shpca_", "shppa_", "shpss_"], hex(32)),
  },
  {
    kind: "linear_key",
    looksLike: "40 letters and digits",
    source: "gitleaks `linear-api-key`",
    make: starting(["lin_api_", "lin_oauth_"], alnum(40)),
  },
  {
    kind: "onepassword_token",
    looksLike: "250 or more of base64",
    source: "gitleaks `1password-service-account-token`",
    make: starting(["ops_eyJ"], base64(300)),
  },
  {
    kind: "digitalocean_token",
    looksLike: "64 hexadecimal digits",
    source: "gitleaks `digitalocean-pat` and its like",
    make: starting(["dop_v1_", "doo_v1_", "dor_v1_"], hex(64)),
  },
  {
    kind: "databricks_token",
    looksLike: "32 hexadecimal digits, `-` and one digit at times",
    source: "gitleaks `databricks-api-token`",
    make: [...starting(["dapi"], hex(32)), ...starting(["dapi"], joined(hex(32), "-", digits(1)))],
  },
  {
    kind: "vault_token",
    looksLike: "90 or more of base64url",
    source: "HashiCorp Vault, token formats; gitleaks `vault-service-token`, `vault-batch-token`",
    make: [...starting(["hvs."], urlSafe(90, 120)), ...starting(["hvb."], urlSafe(138, 200))],
  },
  {
    kind: "doppler_token",
    looksLike: "43 letters and digits; service tokens: the environment and `.` before them",
    source: "Doppler, token formats; gitleaks `doppler-api-token`",
    make: [
      ...starting(["dp.pt."], alnum(43)),
      ...starting(["dp.st."], alnum(43)),
      ...starting(["dp.st."], joined("prd_eu.", alnum(43))),
    ],
  },
  {
    kind: "notion_token",
    looksLike: "11 digits and 35 letters and digits",
    source: "gitleaks `notion-api-token`",
    make: starting(["ntn_"], joined(digits(11), alnum(35))),
  },
  {
    kind: "atlassian_token",
    looksLike: "186 of base64url and `=`",
    source: "gitleaks `atlassian-api-token`",
    make: starting(["ATATT3"], joined(urlSafe(177), "=", hex(8))),
  },
  {
    kind: "grafana_token",
    looksLike: "32 letters and digits, `_`, 8 hexadecimal digits; cloud: base64",
    source: "gitleaks `grafana-service-account-token`, `grafana-cloud-api-token`",
    make: [...starting(["glsa_"], joined(alnum(32), "_", hex(8))), ...starting(["glc_"], base64(120))],
  },
  {
    kind: "newrelic_key",
    looksLike: "27 capitals and digits",
    source: "gitleaks `new-relic-user-api-key`",
    make: starting(["NRAK-"], upper(27)),
  },
  {
    kind: "postman_key",
    looksLike: "24 hexadecimal digits, `-`, 34",
    source: "gitleaks `postman-api-token`",
    make: starting(["PMAK-"], joined(hex(24), "-", hex(34))),
  },
  {
    kind: "figma_token",
    looksLike: "40 of base64url",
    source: "Figma, as issued",
    make: starting(["figd_"], urlSafe(40)),
  },
  {
    kind: "supabase_token",
    looksLike: "40 hexadecimal digits",
    source: "Supabase, as issued",
    make: starting(["sbp_"], hex(40)),
  },
  {
    kind: "planetscale_token",
    looksLike: "32 to 64 of base64url, `=` and `.`",
    source: "gitleaks `planetscale-api-token` and its like",
    make: [
      ...starting(["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], urlSafe(43)),
      ...starting(["pscale_tkn_"], joined(urlSafe(22), ".", urlSafe(20))),
    ],
  },
  {
    kind: "tailscale_key",
    looksLike: "`auth-`, `api-` or `client-`, an id, `-`, 32 letters and digits",
    source: "Tailscale, key prefixes",
    make: starting(
      ["tskey-"],
      joined((random) => random.of(["auth", "api", "client"]), "-k", alnum(11), "CNTRL-", alnum(32)),
    ),
  },
  {
    kind: "age_key",
    looksLike: "58 capitals and digits of Bech32",
    source: "age, as generated; gitleaks `age-secret-key`",
    make: starting(["AGE-SECRET-KEY-1"], upper(58)),
  },
  {
    kind: "azure_storage_key",
    looksLike: "86 of base64 and `==`; the start stays",
    source: "Azure Storage, connection strings",
    make: [joined(base64(86), "==")],
    within: [
      "AccountName=x;AccountKey={};EndpointSuffix=core.windows.net",
      'AzureWebJobsStorage="DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={}"',
      "Use AccountKey={} for the uploads",
    ],
  },
  {
    kind: "jwt",
    looksLike: "three parts of base64url with `.` between them; encrypted ones have five",
    source: "RFC 7519, RFC 7516; gitleaks `jwt`",
    make: [
      (random) => joined(jsonStart(random.of(HEADERS)), ".", claims, ".", urlSafe(43, 342))(random),
      joined(
        jsonStart('{"alg":"RSA-OAEP","enc":"A256GCM"}'),
        ".",
        urlSafe(342),
        ".",
        urlSafe(16),
        ".",
        urlSafe(90),
        ".",
        urlSafe(22),
      ),
      joined(
        jsonStart('{"alg":"dir","enc":"A256GCM"}'),
        "..",
        urlSafe(16),
        ".",
        urlSafe(90),
        ".",
        urlSafe(22),
      ),
    ],
  },
];

/** By what they stand in, and by what they are called. */
const BY_PLACE: readonly SecretForm[] = [
  {
    kind: "private_key",
    looksLike: "`BEGIN … PRIVATE KEY`, lines of base64, `END`; with line breaks or `\\n`",
    source: "RFC 7468, OpenSSH, RFC 9580; gitleaks `private-key`",
    make: [
      ...LABELS.map((label) => pem(`${label}PRIVATE KEY`, "\n")),
      pem("PGP PRIVATE KEY BLOCK", "\n"),
      pem("RSA PRIVATE KEY", "\r\n"),
      pem("PRIVATE KEY", "\\n"),
    ],
  },
  {
    kind: "telegram_token",
    looksLike: "8 to 10 digits, `:AA`, 33 of base64url",
    source: "Telegram, Bot API; gitleaks `telegram-bot-api-token`",
    make: [joined(digits(8, 10), ":AA", urlSafe(33))],
  },
  {
    kind: "bearer_token",
    looksLike: "what follows `Bearer`, where it looks random",
    source: "RFC 6750",
    make: [alnum(32, 64), hex(40), joined(alnum(24), ".", urlSafe(30))],
    within: [
      "Authorization: Bearer {}",
      "authorization: bearer {}",
      "curl -H 'Authorization: Bearer {}' https://api.example.org",
      'headers = {"Authorization": "Bearer {}"}',
      "Send the header Bearer {} with each request",
      "> Authorization: Bearer {}\r\n> Accept: */*",
    ],
  },
  {
    kind: "authorization",
    looksLike: "what follows `Authorization: Basic` or `token`",
    source: "RFC 7617",
    make: [
      (random) =>
        Buffer.from(`user${random.text("digits", 2)}:${random.text("alnum", 14)}`).toString("base64"),
    ],
    within: [
      "Authorization: Basic {}",
      "curl -H 'Authorization: Basic {}' https://api.example.org",
      '"Authorization": "Basic {}"',
      "authorization: token {}",
    ],
  },
  {
    kind: "password",
    variant: "in a URL",
    looksLike: "between `://user:` and `@`; all else stays",
    source: "RFC 3986, section 3.2.1",
    make: [
      joined(alnum(8, 24)),
      joined((random) => random.of(WORDS), "-", digits(3)),
      joined(alnum(5), "!", alnum(4)),
    ],
    within: [
      "postgres://app:{}@db-2:5432/main is the staging database",
      "DATABASE_URL=postgres://app:{}@db/main",
      "mongodb+srv://root:{}@cluster0.example.net/x?w=majority",
      "redis://:{}@cache:6379/0",
      "amqps://svc:{}@mq.example.org",
      "git clone https://bot:{}@git.example.org/a/b.git",
      '"url": "https://ada:{}@example.org/feed"',
      "数据库是mysql://root:{}@db/main。",
    ],
  },
  {
    kind: "password",
    variant: "by its name",
    looksLike: "what is called a password, where it looks like one, is quoted, or is a setting in capitals",
    source: "own rule; names in nine languages",
    make: chosen,
    within: PASSWORD_PLACES,
  },
  {
    kind: "api_key",
    variant: "by its name",
    looksLike: "what is called an API key, secret or token, where it looks random",
    source: "own rule; gitleaks `generic-api-key`",
    make: random32,
    within: KEY_PLACES,
  },
];

export const SECRET_FORMS: readonly SecretForm[] = [...BY_PREFIX, ...BY_PLACE];
