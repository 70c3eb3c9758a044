import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complete } from '../../src/commands/complete.js';
import { COMPLETED } from '../../src/commands/help.js';
import { directory } from '../config/support.js';
import { BIN } from '../support/proxy-process.js';

const at = (...words: string[]) => complete(words, COMPLETED);
const words = async (...line: string[]) => (await at(...line)).words;

describe('what may follow', () => {
  test('a command, or an option before it', async () => {
    expect(await words('do')).toEqual(['doctor']);
    expect(await words('')).toEqual(expect.arrayContaining([...COMPLETED.names, 'help', '--']));
    expect(await words('--l')).toEqual(['--log-level']);
    expect(await words('--log-level', 'w')).toEqual(['warn']);
    expect(await words('--log-level', 'warn', 'sta')).toEqual(['status']);
    expect(await words('help', 'dri')).toEqual(['drill']);
  });

  test('the options of a command, each once, and the words that it takes first', async () => {
    expect(await words('audit', '')).toEqual(['list', 'show', 'verify', 'export', 'reconcile']);
    expect(await words('audit', 'list', '--de')).toEqual(['--decision']);
    expect(await words('audit', 'list', '--decision', 're')).toEqual(['refuse']);
    expect(await words('audit', 'list', '--decision=re')).toEqual(['--decision=refuse']);
    expect(await words('audit', 'list', '--json', '--j')).toEqual([]);
    expect(await words('install', '--client', 'codex', '--cl')).toEqual(['--client']);
    expect(await words('audit', '--vm', 'x', '')).toEqual(['list', 'show', 'verify', 'export', 'reconcile']);
    expect(await words('doctor', '--h')).toEqual(['--help']);
  });

  test('files, directories, and the command line of the downstream', async () => {
    expect(await at('--config', '')).toEqual({ kind: 'file', words: [] });
    expect(await at('--config=x')).toEqual({ kind: 'file', words: [] });
    expect(await at('recover', '--to', '')).toEqual({ kind: 'directory', words: [] });
    expect(await at('--as', 'ssh', '--', 'np')).toEqual({ kind: 'command', words: [] });
  });

  test.each([
    [[]],
    [['frob', '']],
    [['audit', '--', '']],
    [['--vm', '']],
    [['constructor', '']],
    [['audit', '--constructor', '']],
  ])('%j: nothing that is not there', async (line) => {
    const found = await at(...line);
    for (const word of found.words)
      expect([...COMPLETED.names, 'help', '--', 'list', 'show', 'verify', 'export', 'reconcile']).toContain(word);
  });

  test('an empty word may come as quotes around nothing', async () => {
    expect(await words('breakglass', '""')).toEqual(['start', 'end']);
  });
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('completion %s prints the script of the package', (shell) => {
  const printed = execFileSync(process.execPath, [BIN, 'completion', shell], { encoding: 'utf8' });
  expect(printed).toContain('completion at ');
  expect(printed.endsWith('\n')).toBe(true);
});

test('completion without a shell, or for another', () => {
  for (const args of [[], ['tcsh'], ['bash', 'zsh']])
    expect(spawnSync(process.execPath, [BIN, 'completion', ...args], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('one of bash, zsh, fish, powershell'),
    });
});

/** A directory with the program on PATH by its name, and what is to be completed. */
async function place() {
  const dir = await directory();
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'zerto-rewind-proxy');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(program, 0o755);
  mkdirSync(join(dir, 'sub dir'));
  writeFileSync(join(dir, 'my config.json'), '{}');
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: dir,
    XDG_CONFIG_HOME: dir,
    TERM: 'dumb',
  };
  return { dir, env };
}

const has = (program: string) => spawnSync(program, ['--version'], { encoding: 'utf8' }).status === 0;

/** Lines as a person types them, and what their last word may become. */
const LINES: ReadonlyArray<readonly [line: string, offered: string]> = [
  ['zerto-rewind-proxy do', 'doctor'],
  ['zerto-rewind-proxy --log-level warn bre', 'breakglass'],
  ['zerto-rewind-proxy audit list --decision re', 'refuse'],
  ['zerto-rewind-proxy classify "ls -l" --shell pow', 'powershell'],
  ['zerto-rewind-proxy audit v', 'verify'],
  ['zerto-rewind-proxy audit export --te', '--test-event'],
  ['zerto-rewind-proxy audit export --to ocs', 'ocsf'],
];

describe.skipIf(!has('bash'))('in a real bash', () => {
  const driver = `
source "$SCRIPT"
eval "COMP_WORDS=($WORDS)"
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_zerto_rewind_proxy
printf '%s\\n' "\${COMPREPLY[@]}"
`;
  async function offered(...parts: string[]) {
    const { dir, env } = await place();
    const quoted = parts.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
    const given = { ...env, SCRIPT: join(process.cwd(), 'completions', 'zerto-rewind-proxy.bash'), WORDS: quoted };
    const said = execFileSync('bash', ['--norc', '-c', driver], { cwd: dir, env: given, encoding: 'utf8' });
    return said.split('\n').filter((line) => line !== '');
  }

  test('words and options', async () => {
    expect(await offered('zerto-rewind-proxy', 'do')).toEqual(['doctor']);
    expect(await offered('zerto-rewind-proxy', 'audit', '')).toEqual(['list', 'show', 'verify', 'export', 'reconcile']);
    expect(await offered('zerto-rewind-proxy', 'audit', 'list', '--decision', '=', 're')).toEqual(['refuse']);
    expect(await offered('zerto-rewind-proxy', 'audit', 'list', '--decision', '=')).toContain('refuse');
    expect(await offered('zerto-rewind-proxy', 'explain', '--tool', 'a', ':', 'b', '--too')).toEqual(['--tools']);
  });

  test('files, directories, and the downstream', async () => {
    expect(await offered('zerto-rewind-proxy', '--config', 'my')).toEqual(['my config.json']);
    expect(await offered('zerto-rewind-proxy', '--config', '=', 'my')).toEqual(['my config.json']);
    expect(await offered('zerto-rewind-proxy', 'recover', '--to', 's')).toEqual(['sub dir']);
    expect(await offered('zerto-rewind-proxy', '--', 'bash')).toContain('bash');
  });
});

describe.skipIf(!has('fish'))('in a real fish', () => {
  test.each(LINES)('%s', async (line, expected) => {
    const { dir, env } = await place();
    const script = join(process.cwd(), 'completions', 'zerto-rewind-proxy.fish');
    const said = execFileSync('fish', ['--no-config', '-c', `source '${script}'; complete -C '${line}'`], {
      cwd: dir,
      env,
      encoding: 'utf8',
    });
    expect(said.split('\n').filter((each) => each !== '')).toEqual([expected]);
  });

  test('a file, also behind =', async () => {
    const { dir, env } = await place();
    const script = join(process.cwd(), 'completions', 'zerto-rewind-proxy.fish');
    const ask = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source '${script}'; complete -C '${line}'`], {
        cwd: dir,
        env,
        encoding: 'utf8',
      });
    expect(ask('zerto-rewind-proxy --config my')).toContain('config.json');
    expect(ask('zerto-rewind-proxy --config=my')).toContain('config.json');
    expect(ask('zerto-rewind-proxy -- bas')).toMatch(/^bash\b/m);
  });
});

describe.skipIf(!has('zsh'))('in a real zsh', () => {
  // In a pseudo-terminal a zsh of its own gets the line, the tab key, and a key by which it tells the line that it has then.
  const driver = `
zmodload zsh/zpty
zpty shell zsh -f -i
shows() { all=; while zpty -r shell part; do all+=$part; [[ $all == *$1* ]] && return; done; return 1 }
zpty -w shell "PS1='> '; autoload -Uz compinit; compinit -u -D; source '$SCRIPT'; tell() { print -r -- \\"<<\\$BUFFER>>\\" }; zle -N tell; bindkey '^X' tell; print RE''ADY"
shows READY
zpty -w -n shell "$LINE"$'\\t\\x18'
shows '>>'
print -r -- "\${\${all##*<<}%%>>*}"
zpty -d shell
`;
  test.each(LINES.slice(1, 4))('%s', async (line, expected) => {
    const { dir, env } = await place();
    const whole = `${line.slice(0, line.lastIndexOf(' '))} ${expected}`;
    const given = {
      ...env,
      SCRIPT: join(process.cwd(), 'completions', '_zerto-rewind-proxy'),
      LINE: line,
    };
    const said = execFileSync('zsh', ['-f', '-c', driver], { cwd: dir, env: given, encoding: 'utf8', timeout: 30_000 });
    expect(said.trim()).toBe(whole);
  });
});

test('the scripts have no line that another shell would need', () => {
  for (const file of [
    'zerto-rewind-proxy.bash',
    '_zerto-rewind-proxy',
    'zerto-rewind-proxy.fish',
    'zerto-rewind-proxy.ps1',
  ])
    expect(readFileSync(join('completions', file), 'utf8')).not.toMatch(/\r/);
});
