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
  shape(String.raw`dp\.[a-z]{2,5}\.`, String.raw`\w{20,}`),
  shape('tskey-', String.raw`[a-z]{2,10}-[\w-]{10,}`),
  shape('AT(?:ATT|BB|CTT)3', String.raw`[\w=-]{16,}`),
  shape('(?:PMAK|NRAK)-', '[A-Za-z0-9-]{20,}'),
  shape('gl(?:sa|c)_', String.raw`\w{24,}`),
  shape('dapi', '[a-f0-9]{32}(?![a-z0-9])'),
  shape('lin_api_', String.raw`\w{32,}`),
  shape('shp(?:at|ca|pa|ss)_', '[A-Za-z0-9]{32,}'),
  shape('ops_ey', '[A-Za-z0-9+/=]{64,}'),
  shape('SWMTKN-1-', '[a-z0-9-]{20,}'),
  shape('rubygems_', '[a-f0-9]{40,}'),
  // Bots and hooks whose address is the secret
  shape('/bot', String.raw`\d{6,12}:[\w-]{30,}`, ''),
  shape('api/webhooks/', String.raw`\d{10,24}/[\w-]{20,}`, ''),
  // password hashes: crypt(3) forms, those of directories, and a vault's text
  shape(
    String.raw`\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|md5|sha1|scrypt|pbkdf2[\w-]{0,20}|argon2[a-z]{1,2})\$`,
    '[./A-Za-z0-9$=,+-]{8,}',
    '',
  ),
  shape(String.raw`\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,20})\}`, '[./A-Za-z0-9$=+-]{8,}', ''),
  shape(
    String.raw`\$ANSIBLE_VAULT;`,
    String.raw`[\d.]{1,8};\w{1,12}(?:;[\w-]{1,40})?(?:(?:\s{1,40}|\\n)[0-9a-f]{20,})+`,
    '',
  ),
];

/** The core of any shape: text without one holds no secret by its form. */
export const SHAPE_CORE = new RegExp(SHAPES.map(({ core }) => core).join('|'));
