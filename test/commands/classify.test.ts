import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { classifyCommandLine } from '../../src/commands/classify.js';

async function run(args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const read = Promise.all([text(stdout), text(stderr)]);
  const code = await classifyCommandLine(args, { stdin: Readable.from([stdin]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await read;
  return { code, out, err };
}

async function answers(stdin: string): Promise<Record<string, unknown>[]> {
  const { code, out } = await run(['--jsonl'], stdin);
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('classify COMMAND', () => {
  it('prints the effect, then each part with its rule', async () => {
    const { code, out, err } = await run(['ls -l; rm -rf /x']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      'mutating\n  read_only  "ls -l"  ls: reads\n  mutating   "rm -rf /x"  rm: changes something\n             → nothing makes it read_only: a checkpoint is pinned before it\n',
    );
  });

  it('keeps text from outside on its line and shows what is hidden in it', async () => {
    const { out } = await run(['--', 'ls\u202e\nrm "a"']);
    expect(out.split('\n')).toHaveLength(4);
    expect(out).toContain('\\u202e');
    expect(out).not.toContain('\u202e');
  });

  it('takes the shell', async () => {
    expect((await run(['--shell', 'bash', 'uptime'])).out).toMatch(/^read_only\n/);
    expect((await run(['--shell=cmd', 'dir'])).out).toBe('read_only\n  read_only  "dir"  dir: reads\n');
    expect((await run(['--shell=cmd', 'ls'])).out).toMatch(/^unknown\n/);
    expect((await run(['--shell', 'powershell', 'gsv'])).out).toBe(
      'read_only\n  read_only  "gsv"  Get-Service: reads\n',
    );
    expect((await run(['--shell', 'powershell', 'spsv x'])).out).toMatch(/^mutating\n/);
  });

  it.each([
    [[]],
    [['--shell']],
    [['--shell', 'fish', 'ls']],
    [['--frob']],
    [['ls', '-l']],
    [['--jsonl', 'x']],
    [['--catalog', 'x']],
    [['--shell', 'bash']],
    [['--']],
  ])('%j is a wrong call: exit code 2, nothing on stdout', async (args) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('usage: zerto-rewind-proxy classify');
  });
});

describe('classify --jsonl', () => {
  it('answers each line in order, with its id', async () => {
    const got = await answers(
      '{"id":1,"shell":"bash","command":"ls"}\n{"id":"b","shell":"bash","command":"rm x"}\n{"shell":"cmd","command":"ls"}\n{"shell":"powershell","command":"ls | ri"}\n',
    );
    expect(got).toEqual([
      { id: 1, effect: 'read_only', findings: [{ subject: 'ls', effect: 'read_only', why: 'ls: reads' }] },
      {
        id: 'b',
        effect: 'mutating',
        findings: [{ subject: 'rm x', effect: 'mutating', why: 'rm: changes something' }],
      },
      { effect: 'unknown', findings: [expect.objectContaining({ subject: 'ls', effect: 'unknown' })] },
      {
        effect: 'mutating',
        findings: [
          { subject: 'ls', effect: 'read_only', why: 'Get-ChildItem: reads' },
          { subject: 'ri', effect: 'mutating', why: 'Remove-Item: changes something' },
        ],
      },
    ]);
  });

  it('reads LF and CRLF, a last line without end, and passes blank lines over', async () => {
    const got = await answers(
      '{"shell":"bash","command":"ls"}\r\n\r\n{"shell":"bash","command":"id"}\n\n{"shell":"bash","command":"w"}',
    );
    expect(got.map((answer) => answer['effect'])).toEqual(['read_only', 'read_only', 'read_only']);
  });

  it.each([
    ['not JSON', 'ls', undefined],
    ['no object', '[1]', undefined],
    ['no shell', '{"id":7,"command":"ls"}', 7],
    ['an unknown shell', '{"id":7,"shell":"fish","command":"ls"}', 7],
    ['no command', '{"id":7,"shell":"bash"}', 7],
    ['a command that is no string', '{"id":7,"shell":"bash","command":["ls"]}', 7],
  ])('a line with %s is answered as unknown, and the stream goes on', async (_name, line, id) => {
    const [wrong, right] = await answers(`${line}\n{"id":8,"shell":"bash","command":"ls"}\n`);
    expect(wrong).toMatchObject({ effect: 'unknown', findings: [{ effect: 'unknown' }] });
    expect(wrong?.['id']).toBe(id);
    expect(right).toMatchObject({ id: 8, effect: 'read_only' });
  });

  it('answers a line before the next one comes', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const done = classifyCommandLine(['--jsonl'], { stdin, stdout, stderr: new PassThrough() });
    stdin.write('{"shell":"bash","command":"ls"}\n');
    const [first] = (await new Promise<Buffer>((resolve) => stdout.once('data', resolve))).toString().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ effect: 'read_only' });
    stdin.end();
    expect(await done).toBe(0);
  });

  it('waits where the reader is slow', async () => {
    const stdin = Readable.from(
      Array.from({ length: 2000 }, (_, id) => `${JSON.stringify({ id, shell: 'bash', command: 'uptime' })}\n`),
    );
    const stdout = new PassThrough({ highWaterMark: 64 });
    const read = text(stdout);
    expect(await classifyCommandLine(['--jsonl'], { stdin, stdout, stderr: new PassThrough() })).toBe(0);
    stdout.end();
    const ids = (await read)
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(Array.from({ length: 2000 }, (_, id) => id));
  });
});

describe('classify --catalog', () => {
  it('prints both catalogs as JSON', async () => {
    const { code, out } = await run(['--catalog']);
    expect(code).toBe(0);
    const printed = JSON.parse(out) as Record<string, { linux: string[] }>;
    expect(printed['mutating_tools']?.linux).toContain('rm');
    expect(printed['read_only_tools']?.linux).toContain('ls');
  });
});
