/** A secret that is known by its own form; `core` is the part of the form by which a quick search finds it. */
interface Shape {
  readonly core: string;
  readonly form: RegExp;
}

/** `before` is what stands in front of the core; by default no word that it could be the end of. */
const shape = (core: string, after: string, before = String.raw`(?<!\w)`): Shape => ({
  core,
  form: new RegExp(before + core + after, 'g'),
});

/**
 * Secrets that are known by their own form, wherever they stand. Each pattern is linear: bounded repeats, or repeats that
 * a lookbehind lets start only once in a word.
 */
export const SHAPES: readonly Shape[] = [
  shape(
    '-----BEGIN ',
    String.raw`[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)`,
    '',
  ),
  shape('PuTTY-User-Key-File-', String.raw`\d:[\s\S]*`, ''),
  // JSON Web Tokens, also encrypted ones
  shape('eyJ', String.raw`[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){1,4}`, String.raw`(?<![\w-])`),
  // AWS
  shape('(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z0-9]{16}(?![A-Za-z0-9])', '(?<![A-Za-z0-9])'),
  // GitHub, GitLab, Bitbucket
  shape('gh[pousr]_', '[A-Za-z0-9]{20,}'),
  shape('github_pat_', String.raw`\w{20,}`),
  shape('gl(?:pat|ptt|rt|dt|cbt|soat)-', String.raw`[\w-]{16,}`),
  shape('ATBB', '[A-Za-z0-9]{28,}'),
  // Slack
  shape('xox[a-z]-', '[A-Za-z0-9-]{8,}'),
  shape('xapp-', '[A-Za-z0-9-]{8,}'),
  shape('(?:services|workflows|triggers)/', String.raw`[\w/-]{8,}`, String.raw`(?<=hooks\.slack\.com\/)`),
  // Google
  shape('AIza', String.raw`[\w-]{35}`, String.raw`(?<![\w-])`),
  shape(String.raw`ya29\.`, String.raw`[\w-]{10,}`),
  shape('GOCSPX-', String.raw`[\w-]{10,}`),
  // Stripe, OpenAI, Anthropic, Hugging Face, npm, PyPI, Docker, DigitalOcean, SendGrid, Vault, Terraform, age
  shape('[srw][ha]?k_(?:live|test)_', String.raw`\w{10,}`),
  shape('whsec_', String.raw`\w{10,}`),
  shape('sk-', String.raw`[\w-]{20,}`, String.raw`(?<![\w-])`),
  shape('hf_', '[A-Za-z0-9]{20,}'),
  shape('npm_', '[A-Za-z0-9]{20,}'),
  shape('pypi-', String.raw`[\w-]{16,}`),
  shape('dckr_', String.raw`[a-z]{2,4}_[\w-]{16,}`),
  shape('do[opr]_v1_', '[a-f0-9]{32,}'),
  shape(String.raw`SG\.`, String.raw`[\w-]{16,}\.[\w-]{16,}`),
  shape(String.raw`hv[sbr]\.`, String.raw`[\w-]{16,}`),
  shape(String.raw`\.atlasv1\.`, String.raw`[\w-]{20,}`, String.raw`(?<!\w)[A-Za-z0-9]{14}`),
  shape('AGE-SECRET-KEY-1', '[A-Z0-9]{20,}'),
  // password hashes: crypt(3) forms
  shape(String.raw`\$(?:1|2[abxy]?|5|6|7|y|gy|argon2[a-z]{1,2})\$`, '[./A-Za-z0-9$=,+-]{8,}', ''),
];

/** The core of any shape: text without one holds no secret by its form. */
export const SHAPE_CORE = new RegExp(SHAPES.map(({ core }) => core).join('|'));

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

/** Found in every text that holds a secret's name, and in few others. */
export const NAME_CORE = /pass|secret|token|credential|key|pwd|psk|pw|pat(?!\w)|otp|jwt|bearer|cookie|connection/i;

/** Whether a value under a secret's name says something about the secret instead: where it is, or whether there is one. */
export function isPlainValue(name: string, value: string): boolean {
  return PLAIN.test(value) || (ABOUT_SECRET.test(name.toLowerCase()) && PATH.test(value));
}
