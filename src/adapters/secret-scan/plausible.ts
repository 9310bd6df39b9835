/** Placeholders for a secret: words, references to a secret kept elsewhere, and marks of masking. */
const PLACEHOLDER_WORD =
  /^(?:null|nil|none|undefined|true|false|yes|no|on|off|string|str|text|bytes|varchar|char|boolean|any|unknown|required|optional|missing|empty|blank|invalid|valid|incorrect|correct|wrong|expired|unset|default|disabled|enabled|hashed|encrypted|stored|rotated|reset|changed|confirm|forgot|forgotten|current|redacted|masked|hidden|removed|omitted|secret|token|key|pass|pwd|pw|passwd|password|passphrase|passwort|kennwort|placeholder|dummy|todo|tbd|value|example)$/i;
const PLACEHOLDER_FORM =
  /^[\W_]*$|^[xX]{3,}$|^[$%<{]|\[secret:|^(?:your|my|the|some|enter|insert)[-_ ]|^<|change[-_]?me|redacted|placeholder|\.{3}/i;
/** `config.password`, `db_password`, `getPassword()`: code that names a secret and holds none. */
const REFERENCE =
  /^(?:process|os|env|import|secrets?|config|settings|self|this|args|opts|options|ctx|req|request|body|params|user|data|form|var|local|vault|op|arn|projects)\b[.[:/]|^[\w.]{1,64}[([]/i;
const IDENTIFIER = /^[a-z_.:/$-]{1,128}$/i;
const NAMES_SECRET = /passw(?:or)?d|pwd|secret|token|key/i;

/** True for a placeholder of a secret, or a reference to one. */
export function isPlaceholder(value: string): boolean {
  return (
    PLACEHOLDER_WORD.test(value) ||
    PLACEHOLDER_FORM.test(value) ||
    (value.length < 32 && /example/i.test(value)) ||
    REFERENCE.test(value) ||
    (IDENTIFIER.test(value) && NAMES_SECRET.test(value))
  );
}

/** True for `ghp_xxxxxxxx` and similar, whose secret is already masked. */
export function isBlankedOut(body: string): boolean {
  return /^([xX0*._-])\1*$/.test(body);
}

/** True for words with `_` or `-` between them, as in `npm_config_registry`: chance writes no token like that. */
export function isIdentifier(body: string): boolean {
  return /^[a-z]+(?:[_-][a-z]+)*$/.test(body);
}

/** True for too few different characters to be random. */
function isFiller(body: string): boolean {
  return new Set(body.slice(0, 40)).size < 8;
}

/** Names of algorithms and versions, which mix letters and digits as passwords do. */
const TECHNICAL =
  /^(?:(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|aes|rsa|ed|ecdsa|oauth|utf|iso|hmac|tls|ssl|http|ipv|rfc|fido|v|python|node|es|ecma|p|pkcs|x|s|ec)[-_/]?\d|[23]fa|k8s|\d+\.)[\w./-]{0,24}$|^https?:/i;
/** `8-character`, `90-day`, `12+`, `2026-01-31`, `14:30`, `db-2`, `30days`. */
const QUANTITY =
  /^(?:\d{1,3}[-+]?|\d{4}-)[a-z]{0,12}(?:-[a-z]+){0,4}$|^\d{1,4}([-/.:])\d{1,2}\1?|^[a-z]+(?:-[a-z]+){0,4}-\d{1,3}$/i;
const DIGITS = /^\d{6,}$/;
const ADDRESS = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const PATH = /^[\w.~@-]*(?:\/[\w.~@-]+)+\/?$/;
const FILE = /\.(?:md|txt|json|ya?ml|toml|env|ts|js|py|sh|pdf|html)$/i;
const UNIX_ACCOUNT = /(?:^|:)[x*!]:\d/;

/** True for what people choose as a password and do not write as a word: letters with digits or symbols. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 6 || isPlaceholder(value)) return false;
  if (DIGITS.test(value)) return true;
  if (TECHNICAL.test(value) || QUANTITY.test(value) || ADDRESS.test(value)) return false;
  if (isLocation(value)) return false;
  const hasLetter = /[A-Za-z]/.test(value);
  // A symbol within, or more than the one at the end that closes a sentence.
  const hasSymbol = /[!@#$%^&*?~+=][^!?]/.test(value) || /[@#$%^&*]$/.test(value);
  return hasLetter && (/\d/.test(value) || hasSymbol);
}

/** True for a path, as in `PWD=/srv/app`, a file name, and a line of `/etc/passwd`. */
export function isLocation(value: string): boolean {
  return FILE.test(value) || UNIX_ACCOUNT.test(value) || (PATH.test(value) && !looksRandom(value));
}

const DIGEST = /^sha\d{1,3}[:-]/i;
const HEX_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for what only a machine writes: a long run that mixes letters and digits. A UUID is an id, not a secret. */
export function looksRandom(value: string): boolean {
  // Cheap and most selective checks first.
  if (value.length < 16 || !/\d/.test(value) || isFiller(value) || isPlaceholder(value)) return false;
  if (HEX_ID.test(value) || DIGEST.test(value)) return false;
  if (value.length >= 32 && /[a-z]/.test(value) && /[A-Z]/.test(value)) return true;
  return value.split(/[-_./]/).some((part) => part.length >= 12 && /[A-Za-z]/.test(part) && /\d/.test(part));
}
