import type { Logger } from '../../domain/ports.js';
import { mapTexts } from './map-texts.js';
import type { Mark } from './marks.js';

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
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  const found = [...find(texts.join('\n'))].filter((secret) => secret.length > 3);
  const without = (text: string): string =>
    found.reduce((out, secret) => (out.includes(secret) ? out.replaceAll(secret, () => mark(secret)) : out), text);
  return found.length === 0 ? value : (mapTexts(value, without) as T);
}
