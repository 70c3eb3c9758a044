const SECRETS =
  /\\config\\(?:sam|security|system)\b|hklm[:\\]+(?:sam|security)\b|ntds\.dit|\.(?:pfx|p12|pem|ppk|kdbx|rdp|jks)\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\\\.ssh\\|\\microsoft\\(?:credentials|protect|vault)\b|unattend(?:ed)?\.xml|sysprep\.inf|groups\.xml|key=clear|consolehost_history|bitlocker|-protectors|cmdkey|get-laps|ms-mcs-admpwd|connectionstring|\bpasswords?\b|\bsecrets?\b|credential/i;

/** Whether a part that only reads may show a secret: keys, password stores, saved credentials. */
export function readsSecrets(subject: string): boolean {
  return SECRETS.test(subject);
}
