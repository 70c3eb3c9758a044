// Password hashes, private keys, client credentials, and objects named secret. Only for the audit's mark: no effect depends on it.
const SECRETS =
  /\bg?shadow\b|\/id_(?:rsa|dsa|ecdsa|ed25519)(?![\w.])|\.(?:pgpass|my\.cnf|netrc|key|p12|pfx|jks)\b|\.aws\/credentials|\.kube\/config|\/ssl\/private\/|\/environ\b|\b(?:kubectl|oc|docker|aws|vault|gcloud)\b.*\bsecrets?/;

/** Whether the part reads secrets, as far as its text shows. */
export function readsSecrets(subject: string): boolean {
  return SECRETS.test(subject);
}
