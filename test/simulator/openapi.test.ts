import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAll, mounted, type Setup, SMALL, setup } from './harness.js';

const DOCUMENT = fileURLToPath(new URL('../../../shared/zvm/openapi-10.0u6.json', import.meta.url));
const present = existsSync(DOCUMENT);

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

/** Members that real appliances send and the document leaves out. */
const WIRE_ONLY = new Set(
  [
    'VmIdentifier',
    'VpgIdentifier',
    'TaskIdentifier',
    'SiteIdentifier',
    'EventIdentifier',
    'SourceSite',
    'TargetSite',
    'OrganizationName',
    'Source',
    'Target',
    'ServiceProfileIdentifier',
    'ServiceProfileName',
  ].map((name) => name.toLowerCase()),
);

describe.skipIf(!present)(
  'answers fit the OpenAPI document of a 10.0 U6 appliance (skipped where the document is not there)',
  () => {
    const document = present ? JSON.parse(readFileSync(DOCUMENT, 'utf8')) : undefined;
    let at: Setup;
    let session = '';

    beforeAll(async () => {
      at = await setup({
        ...SMALL,
        sites: [{ name: 'prod' }, { name: 'dr' }],
        vpgs: [...SMALL.vpgs, { name: 'away', vms: ['app01'], recoverySite: 'dr', protectedSite: 'prod' }],
      });
      at.world.write('app01', '/etc/hosts', 'x');
      at.world.link('app01', '/etc/link', 'hosts');
      at.world.tag('app', 'tag');
      at.world.raiseAlert('app', { level: 'Warning', helpIdentifier: 'VPG0004', description: 'x' });
      await at.clock.advance(10_000);
      session = await mounted(at, 'app01', 'app', String(at.world.vpg('app').journal.at(-1)?.id));
    });
    afterAll(closeAll);

    function deref(schema: Schema): Schema {
      const name = schema.$ref?.split('/').at(-1);
      return name === undefined ? schema : document.components.schemas[name];
    }

    function check(value: unknown, given: Schema, where: string, problems: string[]): void {
      const schema = deref(given);
      if (value === null || value === undefined) return;
      if (schema.type === 'array') checkItems(value, schema.items ?? {}, where, problems);
      else if (schema.properties !== undefined) checkMembers(value, schema.properties, where, problems);
      else problems.push(...plainProblems(value, schema).map((problem) => `${where}: ${problem}`));
    }

    function checkItems(value: unknown, schema: Schema, where: string, problems: string[]): void {
      if (!Array.isArray(value)) problems.push(`${where}: no array`);
      else for (const [index, item] of value.entries()) check(item, schema, `${where}[${index}]`, problems);
    }

    function checkMembers(value: unknown, properties: Record<string, Schema>, where: string, problems: string[]): void {
      if (typeof value !== 'object' || value === null) {
        problems.push(`${where}: no object`);
        return;
      }
      const known = new Map(Object.entries(properties).map(([name, schema]) => [name.toLowerCase(), schema]));
      const sent = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
      for (const [name, member] of sent) {
        const schema = known.get(name);
        if (schema !== undefined) check(member, schema, `${where}.${name}`, problems);
        else if (!WIRE_ONLY.has(name)) problems.push(`${where}.${name}: not in the document`);
      }
    }

    function plainProblems(value: unknown, { type, format, enum: values }: Schema): string[] {
      const wrong: [string, boolean][] = [
        [`no ${type}`, type !== undefined && typeof value !== (type === 'integer' ? 'number' : type)],
        ['no whole number', type === 'integer' && !Number.isInteger(value)],
        ['none of the values', values !== undefined && !values.includes(value)],
        ['no date', format === 'date-time' && Number.isNaN(Date.parse(String(value)))],
      ];
      return wrong.filter(([, is]) => is).map(([problem]) => `${value} is ${problem}`);
    }

    const GETS: [string, () => string][] = [
      ['/v1/vms', () => ''],
      ['/v1/vms/{vmIdentifier}', () => `${at.world.vm('win01').vmIdentifier}`],
      ['/v1/vms/{vmIdentifier}/pointsInTime', () => at.world.vm('win01').vmIdentifier],
      ['/v1/vms/{vmIdentifier}/pointsInTime/stats', () => at.world.vm('win01').vmIdentifier],
      ['/v1/vpgs', () => ''],
      ['/v1/vpgs/{vpgIdentifier}', () => at.world.vpg('app').vpgIdentifier],
      ['/v1/vpgs/{vpgIdentifier}/checkpoints', () => at.world.vpg('app').vpgIdentifier],
      ['/v1/vpgs/{vpgIdentifier}/checkpoints/stats', () => at.world.vpg('app').vpgIdentifier],
      ['/v1/vpgs/statuses', () => ''],
      ['/v1/vpgs/substatuses', () => ''],
      ['/v1/vpgs/entitytypes', () => ''],
      ['/v1/vpgs/priorities', () => ''],
      ['/v1/tasks', () => ''],
      ['/v1/tasks/{taskIdentifier}', () => at.world.tasks[0]?.taskIdentifier ?? ''],
      ['/v1/tasks/types', () => ''],
      ['/v1/flrs', () => ''],
      ['/v1/localsite', () => ''],
      ['/v1/peersites', () => ''],
      ['/v1/peersites/{siteIdentifier}', () => at.world.site('dr').siteIdentifier],
      ['/v1/virtualizationsites', () => ''],
      ['/v1/virtualizationsites/{siteIdentifier}/vms', () => at.world.site('prod').siteIdentifier],
      ['/v1/serverDateTime/serverDateTimeUtc', () => ''],
      ['/v1/serverDateTime/serverDateTimeLocal', () => ''],
      ['/v1/events', () => ''],
      ['/v1/events/{eventIdentifier}', () => at.world.tasks[0]?.taskIdentifier.slice(0, 36) ?? ''],
      ['/v1/alerts', () => ''],
      ['/v1/license', () => ''],
    ];

    test.each(GETS)('GET %s', async (path, id) => {
      const schema = document.paths[path].get.responses['200'].content['application/json'].schema;
      const answer = await at.client.get(path.replace(/\{\w+\}/, id()));
      expect(answer.status).toBe(200);
      if (Array.isArray(answer.json)) expect(answer.json.length).toBeGreaterThan(0);
      const problems: string[] = [];
      check(answer.json, schema, 'answer', problems);
      expect(problems).toEqual([]);
    });

    test('GET one session as an array, browse, and the token', async () => {
      const problems: string[] = [];
      const of = (path: string, method: string) =>
        document.paths[path][method].responses['200'].content['application/json'].schema;
      at.simulator.knobs.flrSingle = 'array';
      check(
        (await at.client.get(`/v1/flrs/${session}`)).json,
        of('/v1/flrs/{flrSessionIdentifier}', 'get'),
        'session',
        problems,
      );
      const browse = await at.client.post(`/v1/flrs/${session}/browse`, { path: 'Volume1-Ext4/etc' });
      expect(browse.json.PathItems).toHaveLength(2);
      check(browse.json, of('/v1/flrs/{flrSessionIdentifier}/browse', 'post'), 'browse', problems);
      check((await at.client.login()).json, { $ref: '#/components/schemas/SuccessTokenResult' }, 'token', problems);
      expect(problems).toEqual([]);
    });

    test('in camel case every name but the wire-only ones is spelled as in the document', async () => {
      at.simulator.knobs.casing = 'camel';
      const properties =
        deref(document.paths['/v1/vms'].get.responses['200'].content['application/json'].schema.items).properties ?? {};
      const [row] = (await at.client.get('/v1/vms')).json;
      at.simulator.knobs.casing = 'pascal';
      expect(Object.keys(row).filter((name) => !(name in properties) && !WIRE_ONLY.has(name.toLowerCase()))).toEqual(
        [],
      );
    });
  },
);
