/** A short id that sorts by time: `prefix_` + milliseconds in base 36 + 40 random bits. */
export function newId(prefix: string, now: number, random: () => Uint8Array): string {
  let id = `${prefix}_${now.toString(36).padStart(9, '0')}`;
  const bytes = random();
  for (let index = 0; index < 8; index += 1) id += ALPHABET.charAt((bytes[index] ?? 0) & 31);
  return id;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
