/** Words that make a name a secret's name, after folding to lower case. */
const SECRET_WORD =
  /passw|kennwort|mot_?de_?passe|contrasen|contrase\u00f1|wachtwoord|salasana|senha|parola|passphrase|passcode|secret|token|credential|(?:api|access|private|encryption|signing|auth|account|shared|license|client|master|storage|unseal|recovery|subscription|consumer|functions?|hmac)[_.-]?key|(?:^|[_.-])(?:pwd|pass|psk|pw|pat|otp|totp|apikey|jwt|bearer|cookie|set-cookie|sig)$|[a-z]{2,}pwd$|[a-z]pass$|pgpass|connection[_.-]?string|amz-signature|rediscli_auth|keymaterial|^x-[\w-]+-session$/;
const NOT_SECRET =
  /^(?:pwd|oldpwd|ask[_-].*|no[_-].*|.*[_-](?:stdin|prompt|command|cmd))$|max[_.-]?tokens|tokeni[sz]e|(?:by|com|over|under|tres|sur)pass$|keyname$|credential[_.-]?helper|^set-?credentials?$/;
const ABOUT_SECRET = /(?:file|path|dir|folder|url|uri|env)$/;
const PATH = /^(?:[~.]{0,2}[/\\]|[A-Za-z]:[\\/]|https?:\/\/|env:)/;
const PLAIN =
  /^(?:yes|no|true|false|on|off|none|null|nil|undefined|%s(?:\\n)*|always|never|required|optional|prompt|[01])?$/i;

/** Whether a variable, option, member or header of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const folded = name.toLowerCase();
  return SECRET_WORD.test(folded) && !NOT_SECRET.test(folded);
}

/** Found in every text that holds a secret's name, and in few others. */
export const NAME_CORE =
  /pass|kennwort|contrase|wachtwoord|salasana|senha|parola|session|secret|token|credential|key|pwd|psk|pw|pat(?!\w)|otp|jwt|bearer|cookie|connection|auth|sig(?:nature)?(?!\w)/i;

/** Whether a value under a secret's name says something about the secret instead: where it is, or whether there is one. */
export function isPlainValue(name: string, value: string): boolean {
  return PLAIN.test(value) || (ABOUT_SECRET.test(name.toLowerCase()) && PATH.test(value));
}

/** Whether a value is a place in a file system or on the web. */
export function isPath(value: string): boolean {
  return PATH.test(value);
}
