/** A short id that sorts by time: `prefix_` + milliseconds in base 36 + 40 random bits. */
export function newId(prefix: string, now: number, random: () => Uint8Array): string {
  const tail = [...random().subarray(0, 8)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${prefix}_${now.toString(36).padStart(9, '0')}${tail}`;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
