import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readArguments } from '../../../src/classify/ansible/arguments.js';
import { isTaskKeyword } from '../../../src/classify/ansible/keywords.js';
import { findModule } from '../../../src/classify/ansible/modules/index.js';
import { readYaml } from '../../../src/classify/ansible/read-yaml.js';
import { fc } from '../../support/property.js';
import { askPython, hasAnsible, play, playbookEffect } from './support.js';

const PARSE = `
import json, sys
from ansible.parsing.splitter import parse_kv
def one(text, free):
    try:
        return {"read": parse_kv(text, check_raw=free)}
    except Exception as error:
        return {"error": str(error)}
json.dump([one(text, free) for text, free in json.load(sys.stdin)], sys.stdout)
`;
const YAML = `
import json, sys, yaml
def one(text):
    try:
        return {"read": yaml.load(text, Loader=yaml.SafeLoader)}
    except Exception as error:
        return {"error": str(error)[:100]}
json.dump([one(text) for text in json.load(sys.stdin)], sys.stdout, default=str)
`;
const ATTRIBUTES = `
import json
from ansible.playbook.block import Block
from ansible.playbook.handler import Handler
from ansible.playbook.task import Task
json.dump(sorted(set(Task.fattributes) | set(Handler.fattributes) | set(Block.fattributes)), __import__("sys").stdout)
`;
const ROUTING = `
import json, yaml, os, ansible
path = os.path.join(os.path.dirname(ansible.__file__), "config", "ansible_builtin_runtime.yml")
modules = yaml.safe_load(open(path))["plugin_routing"]["modules"]
json.dump({k: v["redirect"] for k, v in modules.items() if "redirect" in v}, __import__("sys").stdout)
`;

const words = fc
  .array(
    fc.constantFrom(
      'ls',
      '-l',
      ' ',
      '  ',
      '\n',
      '\t',
      '"',
      "'",
      '=',
      '\\',
      'a=b',
      'chdir=/x',
      'executable=/x',
      'creates="a b"',
      'warn=no',
      '\\x3d',
      '\\n',
      '_raw_params=x',
      'é',
      ';',
      '|',
      'stdin=x',
      "'a b'",
      '"c d"',
      'k="v',
      'x\\',
      '{',
      '}',
      ':',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const spaced = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(' '));

describe.skipIf(!hasAnsible)(
  `against the real ansible-core${hasAnsible ? '' : ' (skipped: it is not installed)'}`,
  () => {
    test('what is read of a text of arguments is what ansible reads', () => {
      const texts = fc
        .sample(spaced, { numRuns: 4000, seed: 7 })
        .flatMap((text) => [[text, true] as const, [text, false] as const]);
      const answers = askPython(PARSE, texts) as { read?: Record<string, string> }[];
      let agreed = 0;
      texts.forEach(([text, free], index) => {
        const mine = readArguments(text, { free, json: false });
        const theirs = answers[index]?.read;
        if (mine.kind === 'unclear' || theirs === undefined) return;
        const { _raw_params: raw, ...options } = theirs;
        expect(Object.fromEntries(mine.options), JSON.stringify([text, free])).toEqual(options);
        const squeezed = (line: string | undefined) => line?.replace(/ +/g, ' ').replaceAll('\n ', '\n').trim() ?? '';
        expect(squeezed(mine.free), JSON.stringify([text, free])).toEqual(squeezed(raw));
        agreed += 1;
      });
      expect(agreed).toBeGreaterThan(1000);
    });

    test('what is read of a YAML text is what ansible’s parser reads', () => {
      const base = play(
        '- name: a\n  shell: "uptime"\n  when: a == 1\n- stat: {path: /x, follow: yes}',
        'vars: {x: [1, 2]}',
      );
      const mutated = fc.tuple(
        fc.array(
          fc.tuple(
            fc.nat(base.length),
            fc.constantFrom(
              '\n',
              ' ',
              '  ',
              '\t',
              '#',
              ' #',
              ': ',
              '- ',
              '"',
              "'",
              '{',
              '}',
              '[',
              ']',
              ',',
              '|',
              '>',
              '&a ',
              '*a',
              '!',
              '!!str ',
              '? ',
              '?',
              '&a',
              ':',
              '~',
              '0o7',
              '012',
              'yes',
              '\r\n',
              '\u0085',
              '\u2028',
              '---\n',
              '...\n',
              '%',
              '@',
              '`',
              '<<: ',
              '\\',
              '\ufeff',
              'é',
            ),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        fc.boolean(),
      );
      const texts = fc
        .sample(mutated, { numRuns: 4000, seed: 11 })
        .map(([edits, cut]) =>
          edits.reduce((text, [at, insert]) => text.slice(0, at) + insert + text.slice(cut ? at + 1 : at), base),
        );
      const answers = askPython(YAML, texts) as { read?: unknown }[];
      let agreed = 0;
      texts.forEach((text, index) => {
        const mine = readYaml(text);
        const theirs = answers[index];
        // YAML 1.1 takes `y` and `n` alone for yes and no, ansible's parser for texts; both mean the same to it.
        if (/(?:^|[\s{[,])[yn](?:[\s,:}\]]|$)/i.test(text)) return;
        if (mine.kind === 'unreadable' || theirs === undefined || !('read' in theirs)) return;
        expect(mine.documents.length === 0 ? null : mine.documents[0], JSON.stringify(text)).toEqual(theirs.read);
        agreed += 1;
      });
      expect(agreed).toBeGreaterThan(500);
    });

    test('whatever is a keyword of a task here is one there; no module hides behind one', () => {
      const attributes = new Set(askPython(ATTRIBUTES, null) as string[]);
      const taken =
        'name tags notify listen any_errors_fatal ignore_errors ignore_unreachable no_log run_once throttle timeout diff delay retries poll port delegate_facts become check_mode when until failed_when changed_when vars register loop loop_control environment module_defaults collections become_exe become_flags debugger async connection become_method become_user remote_user delegate_to';
      for (const name of taken.split(' ')) {
        expect(isTaskKeyword(name), name).toBe(true);
        expect(attributes.has(name), name).toBe(true);
      }
      for (const name of ['user', 'hosts', 'group', 'service', 'command', 'strategy', 'roles']) {
        expect(isTaskKeyword(name), name).toBe(false);
      }
    });

    test('a short name that stands for a module that only reads leads there in ansible too', () => {
      const routing = askPython(ROUTING, null) as Record<string, string>;
      const wrong = Object.entries(routing).filter(([name, target]) => {
        const found = findModule(name);
        return found?.label === 'read_only' && found.name !== target && !found.name.startsWith('ansible.builtin.');
      });
      expect(wrong).toEqual([]);
      expect(Object.keys(routing).length).toBeGreaterThan(100);
    });

    test('playbooks that are taken for read_only are playbooks', () => {
      const dir = mkdtempSync(join(tmpdir(), 'rewind-ansible-'));
      onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
      const sources = [
        play(
          '- command: uptime\n- stat:\n    path: /x\n  register: out\n  when: a is defined',
          'gather_facts: no\nserial: 1',
        ),
        play('- block:\n    - ping:\n  rescue:\n    - debug: msg=no\n  always:\n    - action: stat path=/x'),
        '[{"hosts": "all", "tasks": [{"ping": {}}]}]',
      ];
      sources.forEach((source, index) => {
        const file = join(dir, `${index}.yml`);
        writeFileSync(file, source);
        expect(playbookEffect(source)).toBe('read_only');
        const { status, stderr } = spawnSync('ansible-playbook', ['-i', 'localhost,', '--syntax-check', file], {
          encoding: 'utf8',
          env: { PATH: '/usr/bin:/bin', HOME: dir, ANSIBLE_CONFIG: join(dir, 'none.cfg'), LC_ALL: 'C.UTF-8' },
          cwd: dir,
        });
        expect(stderr).not.toContain('ERROR');
        expect(status).toBe(0);
      });
    });
  },
);
