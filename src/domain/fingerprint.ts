/** The hex digits of a certificate's fingerprint, however it is written (`AA:BB:…`, `aabb…`): equal for equal certificates. */
export function fingerprintHex(fingerprint: string): string {
  return fingerprint.replace(/[:\s]/g, '').toUpperCase();
}
