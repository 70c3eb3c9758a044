import { describe, expect, it } from 'vitest';
import { Cursors } from '../../../src/wire/many/cursors.js';
import { matchesTemplate } from '../../../src/wire/many/template.js';
import { union } from '../../../src/wire/many/union.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';
import type { Harness, MemberOptions, Parsed } from '../process/harness.js';
import { begin, endServersAfterEach, list, member, startServers } from './support.js';

endServersAfterEach();

/** A server with so many tools on each page; a page may be empty. */
function paged(name: string, sizes: readonly number[]): { readonly member: MemberOptions; readonly names: string[] } {
  const names = sizes.map((size, page) => Array.from({ length: size }, (_, n) => `${name}_${page}_${n}`));
  const pages = names.map((tools, page) => {
    const items = tools.map((tool) => `{"name":"${tool}", "x":1.50,"inputSchema":{"type":"object"}}`).join(' , ');
    return `{"tools":[ ${items} ]${page + 1 < names.length ? `,"nextCursor":"p${page + 2}"` : ''}}`;
  });
  return { member: member(name, { more: { pages } }), names: names.flat() };
}

async function readAll(harness: Harness): Promise<{ readonly names: string[]; readonly cursors: string[] }> {
  const names: string[] = [];
  const cursors: string[] = [];
  for (let page = 0; page < 100; page += 1) {
    const cursor = cursors.at(-1);
    harness.send(list(`page ${page}`, 'tools/list', cursor === undefined ? {} : { cursor }));
    const { result }: Parsed = await harness.answer(`page ${page}`);
    names.push(...(result?.tools ?? []).map(({ name }) => name));
    const next = result?.['nextCursor'];
    if (typeof next !== 'string') return { names, cursors };
    cursors.push(next);
  }
  throw new Error('the list does not end');
}

describe('lists over several servers', () => {
  it(`${verifies('T-4')} holds every tool exactly once, in the order of the config, whatever the pages`, async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, sizes, async (a, b, c) => {
        const servers = [paged('a', a), paged('b', b), paged('c', c)];
        const harness = startServers(servers.map((server) => server.member));
        await begin(harness);
        const { names, cursors } = await readAll(harness);
        expect(names).toEqual(servers.flatMap((server) => server.names));
        expect(new Set(cursors).size).toBe(cursors.length);
        await harness.abort();
      }),
      { numRuns: 12 },
    );
  });

  it('leaves the text of an item as it was, on joined pages too', async () => {
    const harness = startServers([paged('a', [1]).member, paged('b', [2]).member]);
    await begin(harness);
    harness.send(list(1));
    const line = await harness.next((text) => text.includes('"id":1,'));
    expect(line).toContain('{"name":"b_0_0", "x":1.50,"inputSchema":{"type":"object"}} , {"name":"b_0_1", "x":1.50,');
  });

  it('takes no cursor that it has not given out', async () => {
    const harness = startServers([paged('a', [1, 1, 1]).member, member('b')]);
    await begin(harness);
    const { cursors } = await readAll(harness);
    const [given = ''] = cursors;
    const forged = [
      '',
      'p2',
      `${given}=`,
      ` ${given}`,
      given.slice(1),
      `${given.slice(0, -1)}${given.endsWith('A') ? 'B' : 'A'}`,
    ];
    for (const [n, cursor] of [...forged, 7, null, { a: 1 }].entries()) {
      harness.send(list(`forged ${n}`, 'tools/list', { cursor }));
      expect((await harness.answer(`forged ${n}`)).error?.code, String(cursor)).toBe(-32602);
    }
    harness.send(list('other list', 'prompts/list', { cursor: given }));
    expect((await harness.answer('other list')).error?.code).toBe(-32602);
    harness.send(list('good', 'tools/list', { cursor: given }));
    expect((await harness.answer('good')).result?.tools?.[0]?.name).toBe('a_1_0');
  });

  it('opens only what it has sealed', () => {
    const [mine, others] = [new Cursors(), new Cursors()];
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (server, cursor, method) => {
        const sealed = mine.seal(method, { server, cursor });
        expect(mine.open(method, sealed)).toEqual({ server, cursor });
        expect(mine.open(`${method}x`, sealed)).toBeUndefined();
        expect(others.open(method, sealed)).toBeUndefined();
        expect(mine.open(method, cursor)).toBeUndefined();
      }),
    );
  });

  it('goes on where a server cannot list, and where none can says so', async () => {
    const broken = member('b', { answers: { 'tools/list': -32603 } });
    const harness = startServers([member('a'), broken, member('c', { capabilities: {} })]);
    await begin(harness);
    harness.send(list(1));
    expect((await harness.answer(1)).result?.tools?.every(({ name }) => name.startsWith('a_'))).toBe(true);
    expect(harness.logged('a server could not list')).toBe(true);
    harness.send(list(2, 'prompts/list'));
    expect((await harness.answer(2)).error?.code).toBe(-32601);
  });

  it('sends prompts and resources to who lists them', async () => {
    const resources = { resources: {}, prompts: {}, completions: {} };
    const of = (name: string, uri: string, template: string) =>
      member(name, {
        capabilities: resources,
        answers: {
          'prompts/list': `{"prompts":[{"name":"${name}_prompt"},{"name":"both"}]}`,
          'resources/list': `{"resources":[{"uri":"${uri}"},{"uri":"x://both"}]}`,
          'resources/templates/list': `{"resourceTemplates":[{"uriTemplate":"${template}"}]}`,
          'resources/read': `{"contents":[],"by":"${name}"}`,
          'prompts/get': `{"messages":[],"by":"${name}"}`,
          'completion/complete': `{"completion":{"values":[]},"by":"${name}"}`,
        },
      });
    const harness = startServers([of('a', 'x://a', 'a://{+path}/end'), of('b', 'x://b', 'b://{id}')]);
    await begin(harness);
    const by = async (id: number, method: string, params: object) => {
      harness.send(list(id, method, params));
      const { result, error } = await harness.answer(id);
      return result?.['by'] ?? error?.message;
    };
    expect(await by(1, 'resources/read', { uri: 'x://b' })).toBe('b');
    expect(await by(2, 'resources/read', { uri: 'x://both' })).toBe('a');
    expect(harness.logged('two servers list one resource')).toBe(true);
    expect(await by(3, 'resources/read', { uri: 'b://7' })).toBe('b');
    expect(await by(4, 'resources/read', { uri: 'nobody://7' })).toBe('a');
    expect(await by(5, 'prompts/get', { name: 'b_prompt' })).toBe('b');
    expect(await by(6, 'prompts/get', { name: 'both' })).toContain('"a" and "b" both have a prompt "both"');
    expect(await by(7, 'completion/complete', { ref: { type: 'ref/prompt', name: 'b_prompt' } })).toBe('b');
    expect(await by(8, 'completion/complete', { ref: { type: 'ref/resource', uri: 'b://{id}' } })).toBe('b');
    harness.send(list(9, 'prompts/list'));
    expect((await harness.answer(9)).error?.message).toContain('both have a prompt "both"');
    harness.send(list(10, 'resources/list'));
    expect((await harness.answer(10)).result?.['resources']).toHaveLength(4);
  });
});

describe('parts', () => {
  it('unites what servers say: objects by member, true before false, the rest by the first', () => {
    const of = (...texts: string[]) => union(texts.map((text) => ({ text, start: 0, end: text.length })));
    expect(
      of('{"tools":{"listChanged":false},"v":{"n":1.50}}', '{"tools":{"listChanged":true,"x":[1]},"w":1e400}'),
    ).toBe('{"tools":{"listChanged":true,"x":[1]},"v":{"n":1.50},"w":1e400}');
    expect(of('{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}')).toBe('{"__proto__":{"a":1,"b":2}}');
    expect(of('true', '{"a":1}')).toBe('{"a":1}');
  });

  it('matches a template by its literal parts', () => {
    const cases: [string, string, boolean][] = [
      ['a://x', 'a://x', true],
      ['a://x', 'a://xy', false],
      ['a://{id}', 'a://', true],
      ['a://{id}/end', 'a://1/2/end', true],
      ['a://{id}/end', 'a:///en', false],
      ['a://{a}-{b}', 'a://1-2', true],
      ['a://{a}-{b}', 'a://12', false],
      ['aa{x}aa', 'aaa', false],
    ];
    for (const [template, uri, matches] of cases)
      expect(matchesTemplate(template, uri), `${template} ${uri}`).toBe(matches);
  });
});
