import { TOKEN_PREFIXES } from "../../src/core/access/credential.ts";

/**
 * Texts with secrets of real shape, built when they are needed so that no scanner finds them in this repository.
 * None was ever valid.
 */

const ALPHABET = "a7Kq2ZxV9bT4mWc8RdF1nYp6GsH3jLeU5wXo0QvNiEkBtCyMzDrAfPgJhSulIO";

/** Characters without a pattern, the same each time. */
export function noise(length: number, alphabet = ALPHABET, seed = 7): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor(state / 65_536) % alphabet.length];
  }).join("");
}

const hex = (length: number) => noise(length, "0123456789abcdef");
const pem = (label: string, lines = 6) =>
  [
    `-----BEGIN ${label}-----`,
    ...Array.from({ length: lines }, (_, line) => noise(64, ALPHABET, line + 1)),
    `-----END ${label}-----`,
  ].join("\n");
const word = (...parts: string[]) => parts.join("");

/** What is found: its kind, the text around it with `{}` in its place, and the secret itself. */
export interface SecretCase {
  readonly kind: string;
  readonly around: string;
  readonly secret: string;
}

const secret = (kind: string, value: string, around = "Use {} for the deploy."): SecretCase => ({
  kind,
  around,
  secret: value,
});
const password = (around: string, value: string) => secret("password", value, around);
const key = (around: string, value: string) => secret("api_key", value, around);

export const jsonWebToken = word("ey", "JhbGciOiJIUzI1NiJ9", ".ey", noise(40), ".", noise(43));
export const githubToken = word("gh", "p_", noise(36));

export const secretCases: readonly SecretCase[] = [
  ...Object.values(TOKEN_PREFIXES).map((prefix) => secret("recollect_token", word(prefix, noise(43)))),
  secret("github_token", githubToken),
  secret("github_token", word("gh", "p_", "a1B2".repeat(9))),
  secret("github_token", word("gh", "s_", noise(36)), "部署时请使用{}，谢谢"),
  secret("github_token", word("github", "_pat_", noise(22), "_", noise(59))),
  secret("gitlab_token", word("gl", "pat-", noise(20))),
  secret("slack_token", word("xo", "xb-", "123456789012-1234567890123-", noise(24))),
  secret(
    "slack_webhook",
    word("https://hooks.", "slack.com/services/T0", noise(8), "/B0", noise(8), "/", noise(24)),
  ),
  secret("anthropic_key", word("sk-", "ant-api03-", noise(93), "AA")),
  secret("openrouter_key", word("sk-", "or-v1-", hex(64))),
  secret("openai_key", word("sk-", "proj-", noise(80))),
  secret("openai_key", word("sk-", noise(48)), "OPENAI: {}\r\nnext line"),
  secret("openai_key", word("sk-", "proj-", noise(36))),
  secret("aws_access_key_id", word("AK", "IA", "IOSFODNN7EXAMPLE")),
  secret("groq_key", word("gs", "k_", noise(52))),
  secret("huggingface_token", word("h", "f_", noise(34))),
  secret("google_api_key", word("AI", "za", noise(35))),
  secret("google_oauth_token", word("ya", "29.", noise(60))),
  secret("stripe_key", word("sk", "_live_", noise(24))),
  secret("stripe_key", word("rk", "_test_", noise(24))),
  secret("sendgrid_key", word("S", "G.", noise(22), ".", noise(43))),
  secret("npm_token", word("np", "m_", noise(36))),
  secret("pypi_token", word("py", "pi-AgE", noise(80))),
  secret("docker_token", word("dckr", "_pat_", noise(27))),
  secret("shopify_token", word("shp", "at_", hex(32))),
  secret("linear_key", word("lin", "_api_", noise(40))),
  secret("digitalocean_token", word("dop", "_v1_", hex(64))),
  secret("databricks_token", word("da", "pi", hex(32))),
  secret("vault_token", word("hv", "s.", noise(24))),
  secret("postman_key", word("PM", "AK-", hex(24), "-", hex(34))),
  secret("telegram_token", word("123456789", ":AA", noise(33))),
  secret("azure_storage_key", word(noise(86), "=="), "AccountName=x;AccountKey={};Suffix=y"),
  secret("jwt", jsonWebToken),
  secret("jwt", jsonWebToken, "トークンは{}です"),
  ...["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"].map(
    (label) => secret("private_key", pem(label), "The key:\n{}\nThat was it."),
  ),
  secret("private_key", pem("RSA PRIVATE KEY").replaceAll("\n", "\r\n")),
  secret("private_key", pem("PRIVATE KEY").replaceAll("\n", "\\n"), '{"private": "{}"}'),
  secret("private_key", pem("PRIVATE KEY", 3).split("\n-----END")[0] as string, "Cut short: {}"),
  secret("bearer_token", noise(40), "curl -H 'Authorization: Bearer {}' https://api.example.org"),
  secret("authorization", word(noise(30), "Q=="), "Authorization: Basic {}"),
  password("postgres://app:{}@db-2:5432/main is the staging database", "s3cr-Wq9"),
  password("See mongodb+srv://root:{}@cluster0.mongodb.net/x", "swordfish"),
  password("redis://:{}@cache:6379", "qwertz-uiop"),
  password("The password is {}.", "hunter22"),
  password("The wifi password is {} at the office", "Tr0ub4dor&3"),
  password("password: {}\nuser: bob", "Sommer2024!"),
  password("The password is {}", "shadow12"),
  password("password: {}", "4711kaffee"),
  password("passwd: {}", "x9$kQ!pz"),
  password('const password = "{}";', "swordfish"),
  password('{"password":"{}","user":"bob"}', "correct-horse"),
  password("DB_PASSWORD={}\r\nDB_USER=app", "swordfish"),
  password("export PGPASSWORD={}", "letmein"),
  password("Server=db;Uid=app;Pwd={};Database=main", "hunter2000"),
  password("https://x.org/login?user=a&password={}&next=/", "hunter2000"),
  password("The password for the staging database is {}, ask Bob", "Zebra#Lamp7"),
  password("mysql --password {} -u root", "Gr33nTea"),
  password("数据库的密码是{}，不要告诉别人", "qwe123RTY"),
  password("パスワードは{}です。", "sakura2024x"),
  password("Das Passwort lautet {}", "Winter#2031"),
  password("We changed the password to {} today", "N3wSecret9"),
  key("aws_secret_access_key = {}", word(noise(20), "/", noise(18), "+")),
  key("The API key is {}", noise(32)),
  key('api_key: "{}"', hex(40)),
  key("CLIENT_SECRET={}", noise(28)),
];

/** Sentences about secrets, and ids that look like some, in which there is nothing to mask. */
export const harmless: readonly string[] = [
  "The password is stored in Vault.",
  "The password is required.",
  "Reset your password before Friday.",
  "The password is 8 characters long at least.",
  "A password is case-sensitive and must not be reused.",
  "Passwords are hashed with argon2id, never with md5.",
  "The password is bcrypt2-hashed.",
  "The password is sha256-hashed and salted.",
  "The password is base64-encoded in the config map.",
  "The password is in 1Password under staging.",
  "The password is AES-256-GCM encrypted at rest.",
  "The password is valid until 2027-01-31.",
  "Password: minimum 12 characters, one digit",
  "password: string",
  "password: required",
  "password: z.string().min(8)",
  "password: see the vault",
  "interface User { name: string; password: string; token: string }",
  "const password = process.env.DB_PASSWORD;",
  'password = os.environ["DB_PASSWORD"]',
  "password=$DB_PASSWORD",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the sentence is about such a placeholder
  "DB_PASSWORD=${DB_PASSWORD}",
  "PASSWORD=<your password>",
  "PASSWORD=changeme",
  "PASSWORD=********",
  "connect(user=user, password=password)",
  "connect(user=args.user, password=args.password)",
  "password=get_password(user)",
  'autocomplete: "current-password"',
  '{"password": "required"}',
  '<input type="password" name="password">',
  "PASSWORD_MIN_LENGTH=12",
  "RESET_PASSWORD=enabled",
  "const password = match[2] as string;",
  "PWD=/home/alice/project",
  "password: README2.md",
  "The migration from password to FIDO2-keys is done.",
  "/etc/passwd:root:x:0:0 and passwd:x:0:0:root",
  "API key is sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "password: user@example.com gets a reset link",
  "The password is user-specific.",
  "The wifi password is easy!",
  "The private key: id_ed25519 in ~/.ssh",
  "access_token: 15m, refresh_token: 30d",
  "secretRef: my-app-secret-7f9c8d6b5c",
  "The session token is stored in the cookie __Host-session2.",
  "The password field is called #password2 in the form.",
  "She forgot the password again.",
  "The password was changed on Monday.",
  "The password was rotated 3 days ago.",
  "The password to use is in the keychain.",
  "The password policy: 90-day rotation.",
  "Two-factor: password and a 6-digit code.",
  "password is two words",
  "Bob said the password is secret.",
  "密码是必填项。",
  "パスワードは必要です。",
  "Das Passwort ist erforderlich.",
  "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed it.",
  "The id is 550e8400-e29b-41d4-a716-446655440000.",
  "token: 550e8400-e29b-41d4-a716-446655440000",
  "The model is claude-3-5-sonnet-20241022.",
  "We use gpt-4o-mini-2024-07-18 and text-embedding-3-large.",
  "meta-llama/Llama-3.1-70B-Instruct runs on two cards.",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "The cursor is eyJpZCI6MTIzNDU2Nzg5LCJ0cyI6MTcwMDAwMDAwMH0.",
  "The blob id is dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVy.",
  "integrity sha512-7Aq1M3zRZ0aYz0sq0yWhPFuJc1r2Z3vT9bT4mWc8RdF1nYp6GsH3jLeU5wXo0Qv==",
  "sk-learn and sk-image are installed.",
  "ghp_ is the prefix of personal access tokens.",
  "GitHub tokens look like ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.",
  "Put sk-your-key-here into the settings.",
  "Stripe's test keys begin with sk_test_.",
  "Files that begin with -----BEGIN RSA PRIVATE KEY----- are private keys.",
  "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
  "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUd2q7Kq2ZxV9bT4mWc8RdF1nYp6GsH3jLeU5wXo0QvNi\n-----END CERTIFICATE-----",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK7q2ZxV9bT4mWc8RdF1nYp6GsH3jLeU5wXo0QvNiEkB bob@laptop",
  "Send Authorization: Bearer <token> with each request.",
  "Bearer token-based-authentication is what we chose.",
  "Authorization: Basic authentication is off.",
  "postgres://app@db-2:5432/main",
  "postgres://user:password@localhost/db",
  "postgres://app:$PGPASSWORD@db-2/main",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the sentence is about such a placeholder
  "redis://:${REDIS_PASSWORD}@cache:6379",
  "http://localhost:8080/a@b and https://x.org:443/y",
  "Mail alice@example.org or bob@example.org.",
  "The API key is stored in Vault under projects/apollo.",
  "The API key is rotated every 90 days.",
  "API key: see 1Password",
  "api_key: process.env.OPENAI_API_KEY",
  "The secret is to keep the queue short.",
  "The secret: kubernetes-production-v2 holds the certificate.",
  "SECRET_POLICY=mask is the default.",
  "max_tokens=4096, next_token=abc123def456ghi789",
  "The order number is 123456789012345678.",
  "Masked before: [secret:github_token] and password: [secret:password].",
  "The session is 2024-10-22T10:11:12Z/agent-7/run_0042.",
  "記憶はデータベースに保存されます。",
];
