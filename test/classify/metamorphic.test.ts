import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/classify/index.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { NEVER_READ_ONLY, READ_ONLY } from './cases.js';
import { DIAGNOSIS, TRICKS } from './operator-cases.js';

const effect = (command: string): string => classifyCommand('bash', command).effect;
const reading = [...READ_ONLY, ...DIAGNOSIS];
const readOnly = fc.constantFrom(...reading);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

describe('a change next to a command that reads', () => {
  const ADDITIONS: readonly ((command: string) => string)[] = [
    (command) => `${command}; touch x`,
    (command) => `${command}\ntouch x`,
    (command) => `${command} && touch x`,
    (command) => `${command} || touch x`,
    (command) => `${command} | tee x`,
    (command) => `touch x; ${command}`,
    (command) => `{ ${command}\n} > x`,
    (command) => `( ${command}\n) >> x`,
    (command) => `if ${command}\nthen touch x; fi`,
    (command) => `while ${command}\ndo touch x; done`,
    (command) => `for i in a; do ${command}\ntouch x; done`,
    (command) => `case a in a) ${command}\ntouch x;; esac`,
    (command) => `echo "$(${command}\ntouch x)"`,
    (command) => `cat <(${command}\ntouch x)`,
    (command) => `a=$(${command}\ntouch x)`,
    (command) => `cat <<EOF\n$(${command}\ntouch x)\nEOF`,
    (command) => `bash -c ${quoted(`${command}\ntouch x`)}`,
    (command) => `sudo sh -c ${quoted(`${command}\ntouch x`)}`,
    (command) => `ssh h ${quoted(`${command}\ntouch x`)}`,
    (command) => `docker exec c sh -c ${quoted(`${command}\ntouch x`)}`,
    (command) => `kubectl exec p -- sh -c ${quoted(`${command}\ntouch x`)}`,
  ];

  it.each(ADDITIONS.map((add) => [add('CMD'), add] as const))('%j is mutating', (_name, add) => {
    fc.assert(
      fc.property(readOnly, (command) => {
        expect(effect(add(command))).toBe('mutating');
      }),
    );
  });

  const HIDDEN: readonly ((command: string, change: string) => string)[] = [
    (command, change) => `f() { ${command}\n${change}\n}; f`,
    (command, change) => `ls() { ${change}\n}; ${command}; ls`,
    (command, change) => `trap ${quoted(change)} EXIT; ${command}`,
    (command, change) => `alias ll=${quoted(change)}\nll; ${command}`,
    (command, change) => `eval ${quoted(`${command}\n${change}`)}`,
    (command, change) => `x=${quoted(change)}; ${command}; $x`,
    (command, change) => `echo ${quoted(change)} | sh; ${command}`,
    (command, change) => `bash <<< ${quoted(change)}; ${command}`,
    (command, change) => `bash <<'EOF'\n${change}\nEOF\n${command}`,
    (command, change) => `coproc { ${change}\n}; ${command}`,
    (command, change) => `${command} & ${change}`,
    (command, change) => `${change} & ${command}`,
    (command, change) => `select i in a; do ${change}\ndone; ${command}`,
    (command, change) => `(( $(${change}) )); ${command}`,
    (command, change) => `[[ -n $(${change}) ]] && ${command}`,
    (command, change) => `for i in $(${change}); do ${command}\ndone`,
    (command, change) => `case $(${change}) in *) ${command}\n;; esac`,
    (command, change) => `echo "\`${change.replace(/[\\`"$]/g, '\\$&')}\`"; ${command}`,
    (command, change) => `echo \${x:-$(${change})}; ${command}`.replaceAll('\\$', '$'),
    (command, change) => `${command} < <(${change})`,
    (command, change) => `diff <(${command}) <(${change})`,
    (command, change) => `find . -exec sh -c ${quoted(change)} \\;; ${command}`,
    (command, change) => `ls | xargs -I{} sh -c ${quoted(change)}; ${command}`,
    (command, change) => `${command} | while read -r l; do ${change}\ndone`,
    (command, change) => `timeout 5 bash -c ${quoted(change)} && ${command}`,
    (command, change) => `env A=b sudo -u root sh -c ${quoted(change)}; ${command}`,
    (command, change) => `ssh h ${quoted(`sh -c ${quoted(change)}`)}; ${command}`,
    (command, change) => `watch -n 1 ${quoted(change)}; ${command}`,
  ];
  const changing = TRICKS.filter((line) => !line.includes('\n') && effect(line) === 'mutating');

  it('is never read_only, however it is hidden', () => {
    expect(changing.length).toBeGreaterThan(150);
    fc.assert(
      fc.property(readOnly, fc.constantFrom(...changing), fc.constantFrom(...HIDDEN), (command, change, hide) => {
        expect([hide(command, change), effect(hide(command, change))]).not.toContain('read_only');
      }),
      { numRuns: 3000 },
    );
  });

  it('a redirection to a file is mutating', () => {
    fc.assert(
      fc.property(fc.constantFrom('>', '>>', '2>', '&>', '>|', '1>', '>&', '&>>'), (operator) => {
        expect(effect(`uptime ${operator} x`)).toBe('mutating');
      }),
    );
  });
});

describe(`${verifies('C-3')} wrappers`, () => {
  const WRAPPERS = [
    'sudo',
    'sudo -u root',
    'env',
    'env LANG=C',
    'timeout 5',
    'timeout -k 1 5',
    'nice',
    'nice -n 5',
    'ionice -c 3',
    'stdbuf -oL',
    'time',
    'command',
    'doas',
    'setsid',
    'taskset -c 0',
    'docker exec c',
    'kubectl exec p --',
    'ssh h',
    'nsenter -t 1 -n',
  ];
  const bad = NEVER_READ_ONLY.filter(
    (line) => /^[a-z][a-z0-9]+ [^'"$`;&|<>()*?~{}\\!]*$/.test(line) && effect(line) === 'mutating',
  );

  it('never make a command read_only', () => {
    expect(bad.length).toBeGreaterThan(200);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...WRAPPERS), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...bad),
        (wrappers, command) => {
          expect(effect(`${wrappers.join(' ')} ${command}`)).not.toBe('read_only');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('leave a simple command that reads read_only', () => {
    for (const wrapper of WRAPPERS)
      expect([wrapper, effect(`${wrapper} cat /etc/hosts`)]).toEqual([wrapper, 'read_only']);
  });

  it('nested more than eight deep are unknown', () => {
    expect(effect(`${'sudo '.repeat(8)}ls`)).toBe('read_only');
    expect(effect(`${'sudo '.repeat(9)}ls`)).toBe('unknown');
  });
});

describe('quoting', () => {
  const REQUOTE: readonly ((word: string) => string)[] = [
    (word) => `'${word}'`,
    (word) => `"${word}"`,
    (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
    (word) => `${word.slice(0, 2)}''${word.slice(2)}`,
    (word) => `\\${word}`,
    (word) => `$'${word}'`,
    (word) => `$'\\x${word.charCodeAt(0).toString(16).padStart(2, '0')}${word.slice(1)}'`,
    (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  ];
  const plain = [...reading, ...NEVER_READ_ONLY, ...TRICKS].filter(
    (line) => /^[a-z][A-Za-z0-9 ./_:,-]*$/.test(line) && !/^(?:if|for|while|case|time|select|coproc)\b/.test(line),
  );

  it('of a word never changes the verdict', () => {
    expect(plain.length).toBeGreaterThan(300);
    fc.assert(
      fc.property(fc.constantFrom(...plain), fc.nat(), fc.constantFrom(...REQUOTE), (line, at, requote) => {
        const words = line.split(' ').filter((word) => word !== '');
        const index = at % words.length;
        const changed = words.map((word, position) => (position === index ? requote(word) : word)).join(' ');
        expect([changed, effect(changed)]).toEqual([changed, effect(line)]);
      }),
      { numRuns: 2000 },
    );
  });

  const BLANKS = ['  ', '\t', ' \\\n', ' \\\n  '];
  const AROUND: readonly ((line: string) => string)[] = [
    (line) => `  ${line}`,
    (line) => `${line}  `,
    (line) => `${line} # a comment`,
    (line) => `\n${line}\n`,
    (line) => `${line};`,
    (line) => `{ ${line}; }`,
    (line) => `( ${line} )`,
    (line) => `true && ${line}`,
  ];

  it('blanks, comments and groups around it neither', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...plain),
        fc.constantFrom(...BLANKS),
        fc.constantFrom(...AROUND),
        (line, blank, around) => {
          const changed = around(line.replaceAll(' ', blank));
          expect([changed, effect(changed)]).toEqual([changed, effect(line)]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
