/**
 * What secret some bytes look like, or `undefined`. It looks at the text as UTF-8 and as UTF-16, at what stands in it as
 * base64 or hexadecimal, and at the first bytes of binary formats; a path that no rule knows may hold a copy.
 */
export function secretContent(bytes: Buffer): string | undefined {
  const binary = MAGIC.find(({ magic }) => bytes.subarray(0, magic.length / 2).toString('hex') === magic);
  if (binary !== undefined) return binary.what;
  const texts = [bytes.toString('latin1'), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')];
  const all = texts.flatMap((text) => [text, ...encodedIn(text)]);
  return TEXT.find(({ like }) => all.some((text) => like.test(text)))?.what;
}

const BASE64 = /[\w+/-]{40,}(?:\r?\n[ \t]{0,64}[\w+/-]{1,512})*/g;
const HEX = /^[0-9a-f\s]+$/i;

/** What stands in base64 or in hexadecimal, as keys do in cluster configurations and secrets. */
function encodedIn(text: string): readonly string[] {
  return [...text.matchAll(BASE64)].flatMap(([run]) => [
    Buffer.from(run, 'base64').toString('latin1'),
    ...(HEX.test(run) ? [Buffer.from(run.replace(/\s/g, ''), 'hex').toString('latin1')] : []),
  ]);
}

const MAGIC = [
  { magic: '72656766', what: 'a registry hive' },
  { magic: 'feedfeed', what: 'a Java key store' },
  { magic: 'cececece', what: 'a Java key store' },
  { magic: '03d9a29a', what: 'a password store' },
];

const TEXT = [
  { like: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----/, what: 'a private key' },
  { like: /^PuTTY-User-Key-File-\d/m, what: 'a private key' },
  { like: /AGE-SECRET-KEY-1[0-9A-Z]{20}/, what: 'a private key' },
  // name:$6$salt$hash:19000:0:99999:7::: (a locked account alone, `daemon:*:19000:…`, tells the same file)
  {
    like: /^[^:\r\n]{1,64}:(\$[0-9a-z]{1,10}\$[^:\r\n]{8,}|[!*]{1,2}|!?\$[^:\r\n]{8,}):\d{1,6}:\d{0,6}:\d{0,6}:\d{0,6}:/m,
    what: 'a shadow file',
  },
];
