import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ladder, ladderText, word } from '../../src/native/ladder.js';
import { fc } from '../support/property.js';

const POINT = {
  vm: 'app01',
  vmIdentifier: 'g.vm-1',
  vpg: 'my app',
  checkpointIdentifier: '7',
  timestamp: '2026-11-30T00:00:00Z',
  minutesLost: 3,
};

describe('a word of a shell', () => {
  const SHELL = process.platform === 'win32' ? undefined : 'bash';

  it.skipIf(SHELL === undefined)('is read as the same text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
      fc
        .array(fc.constantFrom("'", '\\', '\n', '$(x)', '`', '"', '7', '\u202e', '\u00a0', '-', 'ü'))
        .map((all) => all.join('')),
    );
    const words = fc.sample(text, { numRuns: 200, seed: 7 }).filter((each) => !/[\0\p{Cs}]/u.test(each));
    const script = words.map((each) => `printf '%s\\0' ${word(each)}`).join('\n');
    const out = execFileSync('bash', ['-s'], { input: script, env: { ...process.env, LC_ALL: 'C' } }).toString('utf8');
    expect(out.split('\0').slice(0, -1)).toEqual(words);
  });

  it('hides nothing', () => {
    expect(word('/etc/app.conf')).toBe('/etc/app.conf');
    expect(word("it's")).toBe(`'it'\\''s'`);
    expect(word('a\nb\u202e')).toBe(`$'a\\012b\\342\\200\\256'`);
  });
});

describe('the ladder', () => {
  it('names a point without a receipt by its numbers, and leaves no gap', () => {
    const text = ladderText(ladder({ ...POINT, path: '/etc/a' }));
    expect(text).toContain("--vm g.vm-1 --vpg 'my app' --checkpoint 7 --path /etc/a --to NEW_FOLDER");
    expect(text).not.toMatch(/RECEIPT|undefined/);
    expect(ladderText(ladder({ ...POINT, receipt: 'rcp_1' }))).toContain('--receipt rcp_1 --vm app01');
  });

  it('never has a failover for production, and warns of a domain controller', () => {
    const rungs = ladder({ ...POINT, domain: true });
    expect(rungs.map(({ step }) => step)).toEqual(['file', 'folder', 'recover', 'test_failover', 'restore_vm']);
    expect(ladderText(rungs)).not.toMatch(/failover live|live failover/i);
    expect(rungs.at(-1)?.warning).toContain('domain controller');
    expect(ladder(POINT).at(-1)).toMatchObject({ needs: expect.stringContaining('domain controller') });
  });
});
