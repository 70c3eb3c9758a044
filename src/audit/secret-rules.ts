import type { Logger } from '../domain/ports.js';
import type { Mark } from './redact-words.js';

/** As much of a rule of secretlint as is used: each says synchronously where in a text it found something. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      readonly sharedOptions: object;
      createTranslator(): () => { readonly message: string };
      report(found: { readonly range: readonly [number, number] }): void;
      ignore(): void;
    },
    options: object,
  ): { file?(source: { readonly content: string; readonly ext: string }): unknown };
}
type Find = (text: string) => ReadonlySet<string>;

let find: Find | undefined;
let loading: Promise<void> | undefined;

/** Loads the maintained rules; undefined where they are there already. Never rejects: without them the project's own hold. */
export function loadSecretRules(log: Pick<Logger, 'warn'>): Promise<void> | undefined {
  if (find !== undefined) return undefined;
  loading ??= import('@secretlint/secretlint-rule-preset-recommend').then(
    (preset) => {
      find = finder((preset as unknown as { readonly rules: readonly Rule[] }).rules);
    },
    (error: unknown) => {
      find = () => new Set();
      log.warn({ error }, 'the rules of secretlint could not be loaded: records are searched by the own rules alone');
    },
  );
  return loading;
}

/** A text could ask for nothing to be found in it. */
const BY_COMMENT = '@secretlint/secretlint-rule-filter-comments';

function finder(rules: readonly Rule[]): Find {
  let found = new Set<string>();
  let content = '';
  const files = rules
    .filter(({ meta }) => meta.id !== BY_COMMENT)
    .map((rule) =>
      rule.create(
        {
          sharedOptions: {},
          createTranslator: () => () => ({ message: '' }),
          report: ({ range }) => void found.add(content.slice(...range)),
          ignore: () => undefined,
        },
        {},
      ),
    );
  return (text) => {
    found = new Set();
    content = text;
    // Without a name of a file no rule looks at the disk.
    for (const rule of files) rule.file?.({ content, ext: '' });
    content = '';
    return found;
  };
}

/**
 * A second look at a record before it is written: what the maintained rules still find in its texts is marked. Costs one run
 * of the rules over all texts together. Before the rules are loaded nothing is found.
 */
export function withoutRuleSecrets<T>(value: T, mark: Mark): T {
  if (find === undefined) return value;
  const texts: string[] = [];
  collect(value, texts);
  const found = [...find(texts.join('\n'))].filter((secret) => secret.length > 3);
  return found.length === 0 ? value : (replaced(value, found, mark) as T);
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collect(member, texts);
}

function replaced(value: unknown, found: readonly string[], mark: Mark): unknown {
  if (typeof value === 'string')
    return found.reduce(
      (text, secret) => (text.includes(secret) ? text.replaceAll(secret, () => mark(secret)) : text),
      value,
    );
  if (Array.isArray(value)) return value.map((item) => replaced(item, found, mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, found, mark)]));
}
