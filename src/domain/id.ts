/** A short id that sorts by time: `prefix_` + milliseconds in base 36 + 40 random bits. */
export function newId(prefix: string, now: number, random: () => Uint8Array): string {
  let id = `${prefix}_${now.toString(36).padStart(9, '0')}`;
  for (const byte of random().subarray(0, 8)) id += ALPHABET.charAt(byte & 31);
  return id;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
