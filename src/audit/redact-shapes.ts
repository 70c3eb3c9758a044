/**
 * Secrets that are known by their own form, wherever they stand. Each pattern is linear: bounded repeats, or repeats that
 * a lookbehind lets start only once in a word.
 */
export const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /PuTTY-User-Key-File-\d:[\s\S]*/g,
  // JSON Web Tokens, also encrypted ones
  /(?<![\w-])eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){1,4}/g,
  // AWS
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // GitHub, GitLab, Bitbucket
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{20,}/g,
  /(?<!\w)github_pat_\w{20,}/g,
  /(?<!\w)gl(?:pat|ptt|rt|dt|cbt|soat)-[\w-]{16,}/g,
  /(?<!\w)ATBB[A-Za-z0-9]{28,}/g,
  // Slack
  /(?<!\w)xox[a-z]-[A-Za-z0-9-]{8,}/g,
  /(?<!\w)xapp-[A-Za-z0-9-]{8,}/g,
  /(?<=hooks\.slack\.com\/)(?:services|workflows|triggers)\/[\w/-]{8,}/g,
  // Google
  /(?<![\w-])AIza[\w-]{35}/g,
  /(?<!\w)ya29\.[\w-]{10,}/g,
  /(?<!\w)GOCSPX-[\w-]{10,}/g,
  // Stripe, OpenAI, Anthropic, Hugging Face, npm, PyPI, Docker, DigitalOcean, SendGrid, Vault, Terraform, age
  /(?<!\w)[srw][ha]?k_(?:live|test)_\w{10,}/g,
  /(?<!\w)whsec_\w{10,}/g,
  /(?<![\w-])sk-[\w-]{20,}/g,
  /(?<!\w)hf_[A-Za-z0-9]{20,}/g,
  /(?<!\w)npm_[A-Za-z0-9]{20,}/g,
  /(?<!\w)pypi-[\w-]{16,}/g,
  /(?<!\w)dckr_[a-z]{2,4}_[\w-]{16,}/g,
  /(?<!\w)do[opr]_v1_[a-f0-9]{32,}/g,
  /(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /(?<!\w)hv[sbr]\.[\w-]{16,}/g,
  /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{20,}/g,
  /(?<!\w)AGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  // password hashes: crypt(3) forms
  /\$(?:1|2[abxy]?|5|6|7|y|gy|argon2[a-z]{1,2})\$[./A-Za-z0-9$=,+-]{8,}/g,
];

/** Words that make a name a secret's name, after folding to lower case. */
const SECRET_WORD =
  /passw(?:or)?d|passphrase|passcode|secret|token|credential|(?:api|access|private|encryption|signing|auth|account|shared|license|client|master|storage)[_.-]?key|(?:^|[_.-])(?:pwd|pass|psk|pw|pat|otp|totp|apikey|jwt|bearer|cookie|set-cookie)$|[a-z]{2,}pwd$|pgpass|connection[_.-]?string/;
const NOT_SECRET = /^(?:pwd|oldpwd|ask[_-].*|no[_-].*|.*[_-](?:stdin|prompt|command|cmd))$|max[_.-]?tokens|tokeni[sz]e/;
const ABOUT_SECRET = /(?:file|path|dir|folder|url|uri|env)$/;
const PATH = /^(?:[~.]{0,2}[/\\]|[A-Za-z]:[\\/]|https?:\/\/|env:)/;
const PLAIN = /^(?:yes|no|true|false|on|off|none|null|nil|undefined|always|never|required|optional|prompt|[01])?$/i;

/** Whether a variable, option, member or header of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const folded = name.toLowerCase();
  return SECRET_WORD.test(folded) && !NOT_SECRET.test(folded);
}

/** Whether a value under a secret's name says something about the secret instead: where it is, or whether there is one. */
export function isPlainValue(name: string, value: string): boolean {
  return PLAIN.test(value) || (ABOUT_SECRET.test(name.toLowerCase()) && PATH.test(value));
}
