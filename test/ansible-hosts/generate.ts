import { fc } from '../support/property.js';
import type { Query, Tree } from './support.js';

const GROUPS = ['web', 'db', 'prod', 'stage', 'eu', 'a.b', 'g1'] as const;
const HOSTS = [
  'web1',
  'web2',
  'db1',
  'db-2',
  'x.example.com',
  '10.0.0.1',
  'h[1:3]',
  'n[08:10].example.com',
  'r[a:c]',
  'eu1',
  'p:2222',
  'localhost',
] as const;
const ADDRESSES = ['10.1.0.1', '10.1.0.2', 'alias.example.com', 'fe80::9'] as const;

const variables = fc.dictionary(
  fc.constantFrom(
    'ansible_host',
    'ansible_connection',
    'ansible_port',
    'ansible_group_priority',
    'other',
    'ansible_user',
  ),
  fc.constantFrom<string>(...ADDRESSES),
  { maxKeys: 3 },
);

const valued = variables.map(
  (given): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([key, value]) => {
        const n = String(value.length);
        const own: Record<string, string> = {
          ansible_host: value,
          ansible_connection: Number(n) % 2 === 0 ? 'ssh' : 'local',
          ansible_port: n,
          ansible_group_priority: n,
        };
        return [key, own[key] ?? value];
      }),
    ),
);

interface Group {
  readonly name: string;
  readonly hosts: readonly { readonly name: string; readonly variables: Record<string, string> }[];
  readonly children: readonly string[];
  readonly variables: Record<string, string>;
}

const group = fc.record({
  name: fc.constantFrom<string>(...GROUPS),
  hosts: fc.array(fc.record({ name: fc.constantFrom<string>(...HOSTS), variables: valued }), { maxLength: 4 }),
  children: fc.uniqueArray(fc.constantFrom<string>(...GROUPS), { maxLength: 2 }),
  variables: valued,
});

/** Groups that may name each other; each child is declared somewhere. */
const groups = fc.uniqueArray(group, { minLength: 1, maxLength: 6, selector: ({ name }) => name });

function ini(all: readonly Group[], loose: readonly string[]): string {
  const pairs = (given: Record<string, string>): string =>
    Object.entries(given)
      .map(([key, value]) => ` ${key}=${value}`)
      .join('');
  const names = new Set(all.map(({ name }) => name));
  return [
    ...loose,
    ...all.flatMap((each) => [
      `[${each.name}]`,
      ...each.hosts.map(({ name, variables: own }) => `${name}${pairs(own)}`),
      ...(each.children.length > 0
        ? [`[${each.name}:children]`, ...each.children.filter((child) => names.has(child) && child !== each.name)]
        : []),
      ...(Object.keys(each.variables).length > 0
        ? [`[${each.name}:vars]`, ...Object.entries(each.variables).map(([key, value]) => `${key}=${value}`)]
        : []),
    ]),
    '',
  ].join('\n');
}

function yaml(all: readonly Group[]): string {
  const root = Object.fromEntries(
    all.map((each) => [
      each.name,
      {
        hosts: Object.fromEntries(each.hosts.map(({ name, variables: own }) => [name, own])),
        children: Object.fromEntries(
          each.children.filter((child) => child !== each.name).map((child) => [child, null]),
        ),
        vars: each.variables,
      },
    ]),
  );
  return JSON.stringify(root, null, 1);
}

const vars = valued.map((own) => JSON.stringify(own));

const files = fc
  .record({
    all: groups,
    more: groups,
    loose: fc.subarray(['web1', 'lone ansible_host=10.7.0.1', '10.0.0.9']),
    form: fc.constantFrom('ini', 'yaml', 'both'),
    ofAll: fc.option(vars),
    ofWeb: fc.option(vars),
    ofHost: fc.option(vars),
  })
  .map(({ all, more, loose, form, ofAll, ofWeb, ofHost }): { files: Tree; sources: string[] } => ({
    files: {
      ...(form !== 'yaml' && { hosts: ini(all, loose) }),
      ...(form !== 'ini' && { 'more.yml': yaml(form === 'both' ? more : all) }),
      ...(ofAll !== null && { 'group_vars/all.yml': ofAll }),
      ...(ofWeb !== null && { 'group_vars/web': ofWeb }),
      ...(ofHost !== null && { 'host_vars/web1.json': ofHost }),
    },
    sources: form === 'ini' ? ['hosts'] : form === 'yaml' ? ['more.yml'] : ['hosts', 'more.yml'],
  }));

const ATOMS = [
  ...GROUPS,
  'web1',
  'db1',
  'db-2',
  'a.b',
  'x.example.com',
  'h1',
  'h2',
  'n09.example.com',
  'ra',
  'all',
  '*',
  'ungrouped',
  'nothing',
  'localhost',
  '127.0.0.1',
  'w*',
  '*1',
  'h?',
  '[a-h]*',
  '[!w]*',
  '*.example.com',
  '10.0.*',
  '~^(web|db)',
  '~.*[12]$',
  '~h\\d',
  '~(e|x)u?',
  'web[0]',
  'web[-1]',
  'prod[1:]',
  'all[0:1]',
  'db[0]',
  'h*[1]',
] as const;

const pattern = fc
  .array(fc.record({ sign: fc.constantFrom('', '', '', '&', '!'), atom: fc.constantFrom<string>(...ATOMS) }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((parts) => fc.constantFrom(':', ',').map((by) => parts.map(({ sign, atom }) => sign + atom).join(by)));

const query = fc
  .record({ pattern, limit: fc.option(pattern, { nil: undefined, freq: 3 }) })
  .map(({ pattern: of, limit }): Query => (limit === undefined ? { pattern: of } : { pattern: of, limit }));

/** So many inventories, with so many questions each. */
export function generate(
  seed: number,
  inventories: number,
  queries: number,
): readonly { readonly files: Tree; readonly sources: readonly string[]; readonly queries: readonly Query[] }[] {
  return fc.sample(
    fc
      .tuple(files, fc.array(query, { minLength: queries, maxLength: queries }))
      .map(([found, asked]) => ({ ...found, queries: asked })),
    { seed, numRuns: inventories },
  );
}
