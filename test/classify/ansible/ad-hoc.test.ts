import { describe, expect, test } from 'vitest';
import { classifyCommand } from '../../../src/classify/index.js';
import { coverage, type Effect } from '../../../src/domain/assessment.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';
import { askPython, hasAnsible, moduleEffect } from './support.js';

const judge = (command: string) => classifyCommand('bash', command);

const CASES: readonly (readonly [command: string, effect: Effect])[] = [
  ['ansible web1 -m ping', 'read_only'],
  ['ansible web1 -mping', 'read_only'],
  ['ansible -m ping web1', 'read_only'],
  ['ansible web1 --module-name=ansible.builtin.ping', 'read_only'],
  ['ansible web1 --module-name ping -o', 'read_only'],
  ['ansible all -i hosts.ini -m ansible.builtin.setup -a "filter=ansible_distribution*"', 'read_only'],
  ["ansible 'web*:!web07' -i hosts.ini -m stat -a 'path=/etc/hosts'", 'read_only'],
  ['ansible web1 -i web1, -u ops -b -K -m service_facts', 'read_only'],
  ['ansible web1 -a uptime', 'read_only'],
  ["ansible web1 -a 'df -h'", 'read_only'],
  ["ansible web1 -m command -a 'cat /etc/os-release'", 'read_only'],
  ["ansible web1 -m command -a 'ls -l chdir=/var/log'", 'read_only'],
  ["ansible web1 -m shell -a 'ps aux | grep nginx'", 'read_only'],
  ["ansible web1 -m ansible.builtin.shell -a 'journalctl -u nginx -n 50'", 'read_only'],
  ["ansible web1 -m raw -a 'uptime'", 'read_only'],
  ['ansible web1 -m find -a "paths=/var/log patterns=*.log"', 'read_only'],
  ['ansible web1 -m slurp -a src=/etc/hostname', 'read_only'],
  ['ansible web1 -m debug -a var=inventory_hostname', 'read_only'],
  ['ansible web1 -m stat -a \'{"path": "/etc/hosts"}\'', 'read_only'],
  ['ansible web1 -C -m copy -a "src=a dest=/b"', 'read_only'],
  ['ansible web1 -CD -m lineinfile -a "path=/x line=y"', 'read_only'],
  ['ansible web1 --check -m file -a "path=/x state=absent"', 'read_only'],
  ['ansible win1 -m ansible.windows.win_ping', 'read_only'],
  ['ansible web1 --list-hosts', 'read_only'],
  ['ansible localhost -m ping', 'read_only'],
  ['sudo ansible web1 -m ping', 'read_only'],
  ['timeout 60 ansible web1 -m ping', 'read_only'],
  ['ansible web1 -m setup | grep distribution', 'read_only'],

  ['ansible web1 -m copy -a "src=a dest=/b"', 'mutating'],
  ['ansible web1 -m ansible.builtin.copy -a "src=a dest=/b"', 'mutating'],
  ['ansible web1 -b -m apt -a "name=nginx state=latest"', 'mutating'],
  ['ansible web1 -m service -a "name=nginx state=restarted"', 'mutating'],
  ['ansible web1 -m user -a "name=x state=absent"', 'mutating'],
  ['ansible web1 -m reboot', 'mutating'],
  ['ansible win1 -m ansible.windows.win_reboot', 'mutating'],
  ["ansible web1 -a 'rm -rf /srv'", 'mutating'],
  ["ansible web1 -m shell -a 'echo x > /etc/motd'", 'mutating'],
  ["ansible web1 -m command -a 'systemctl restart nginx'", 'mutating'],
  ["ansible web1 -m raw -a 'reboot'", 'mutating'],
  ['ansible web1 -m uri -a "url=http://x method=DELETE"', 'mutating'],
  ['ansible web1 -m ping && ansible web1 -m reboot', 'mutating'],
  ['ansible web1 -m ping -m reboot', 'mutating'],
  ['ansible web1 -m ping -a "$(rm /x)"', 'mutating'],

  ['ansible web1 -m script -a x.sh', 'unknown'],
  ['ansible web1 -m no_such_module', 'unknown'],
  ['ansible web1 -m my.own.ping', 'unknown'],
  ['ansible web1 -m ./library/ping', 'unknown'],
  ['ansible web1 -m "$M"', 'unknown'],
  ['ansible web1 -m ping -a "$A"', 'unknown'],
  ['ansible "$H" -m ping', 'unknown'],
  ['ansible web1 -m ping surprise', 'unknown'],
  ['ansible -m ping', 'unknown'],
  ['ansible \'{{ lookup("pipe", "id") }}\' -m ping', 'unknown'],
  ['ansible web1 -m debug -a \'msg={{ lookup("pipe", "id") }}\'', 'unknown'],
  ["ansible web1 -m command -a 'ls {{ dir }}'", 'unknown'],
  ['ansible web1 -m ping -e @vars.yml', 'unknown'],
  ['ansible web1 -m ping -e ansible_connection=local', 'unknown'],
  ['ansible web1 -m ping --extra-vars x=1', 'unknown'],
  ['ansible web1 -M /tmp -m ping', 'unknown'],
  ['ansible web1 --module-path=/tmp -m ping', 'unknown'],
  ['ansible web1 --playbook-dir /tmp -m ping', 'unknown'],
  ['ansible web1 -c local -m ping', 'unknown'],
  ['ansible web1 -t /tmp/tree -m ping', 'unknown'],
  ['ansible web1 --ssh-extra-args="-oProxyCommand=id" -m ping', 'unknown'],
  ['ansible web1 --become-method=mine -m ping', 'unknown'],
  ['ansible web1 --vault-password-file=/tmp/x -m ping', 'unknown'],
  ['ansible web1 -B 60 -P 0 -m command -a ls', 'unknown'],
  ['ansible web1 -i ./inventory -m ping', 'unknown'],
  ['ansible web1 -i /tmp/x.sh -m ping', 'unknown'],
  ['ansible web1 -l @retry -m ping', 'unknown'],
  ['ANSIBLE_LIBRARY=/tmp ansible web1 -m ping', 'unknown'],
  ['ANSIBLE_CONFIG=/tmp/x ansible web1 -m ping', 'unknown'],
  ['ansible web1 -C -m command -a "rm /x"', 'unknown'],
  ['ansible web1 --check -m template -a "src=a dest=/b"', 'unknown'],
  ['ansible web1 --diff -m template -a "src=a dest=/b"', 'mutating'],
  ['ansible-playbook site.yml', 'unknown'],
  ['ansible-playbook site.yml --check --diff', 'unknown'],
  ['ansible-playbook site.yml --list-hosts', 'unknown'],
  ['ansible-playbook site.yml --syntax-check', 'unknown'],
  ['ansible-pull -U https://x', 'unknown'],
  ['ansible-console web1', 'unknown'],
  ['ansible-inventory --list', 'unknown'],
];

describe(verifies('C-4'), () => {
  test.each(CASES)('%s', (command, effect) => {
    expect(judge(command).effect).toBe(effect);
  });

  test('what it changes is on the hosts of the pattern, not where it runs', () => {
    expect(coverage(judge('ansible web1 -m reboot'))).toBe('elsewhere');
    expect(coverage(judge('ansible localhost -m reboot'))).toBe('vm');
    expect(coverage(judge('rm /x; ansible web1 -m reboot'))).toBe('partly');
  });

  test('no argument of a module is told in a finding', () => {
    const { findings } = judge('ansible web1 -m user -a "name=x password=hunter2"');
    const told = findings.filter(({ why }) => why.includes('the module')).map(({ subject }) => subject);
    expect(told).toEqual(['user']);
  });
});

const CLI = `
import json, sys, io, contextlib
from ansible.cli.adhoc import AdHocCLI
from ansible import context
from ansible.utils.context_objects import GlobalCLIArgs
def one(argv):
    GlobalCLIArgs._Singleton__instance = None
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            AdHocCLI(["ansible", *argv]).parse()
    except BaseException as error:
        return {"error": str(error)[:80]}
    args = context.CLIARGS
    return {"read": {k: args.get(k) for k in ("module_name", "module_args", "check", "listhosts", "extra_vars", "module_path", "tree", "connection", "seconds")}}
json.dump([one(argv) for argv in json.load(sys.stdin)], sys.stdout, default=str)
`;

interface Parsed {
  readonly module_name: string;
  readonly module_args: string;
  readonly check: boolean;
  readonly listhosts: boolean;
  readonly extra_vars: readonly string[];
  readonly module_path: readonly string[] | null;
  readonly tree: string | null;
  readonly seconds: number;
}

const words = fc.array(
  fc.constantFrom(
    'web1',
    '-m',
    '-mping',
    '-mreboot',
    'ping',
    'reboot',
    'copy',
    'command',
    'shell',
    '-a',
    '-auptime',
    '-arm /x',
    'uptime',
    'rm -rf /srv',
    'ls; rm /x',
    'src=a dest=/b',
    '-C',
    '-D',
    '-CD',
    '-bm',
    '-ob',
    '-obmreboot',
    '--check',
    '--che',
    '--module-name=reboot',
    '--module-name',
    '--module-n=ping',
    '--mod',
    '--args=rm /x',
    '--arg',
    '--list-hosts',
    '--list',
    '-l',
    'web2',
    '-i',
    'x.ini',
    '-e',
    'a=b',
    '-M',
    '/tmp',
    '-t',
    '-B',
    '5',
    '-P',
    '--',
    '-u',
    '-f',
    '-v',
    '-vv',
    '-k',
    '-T3',
    '--forks=2',
    '--one-line',
    '',
  ),
  { minLength: 1, maxLength: 7 },
);

function compare(line: readonly string[], read: Parsed) {
  const command = ['ansible', ...line].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const real = read.listhosts ? 'read_only' : moduleEffect(read.module_name, read.module_args, read.check);
  const more = [...read.extra_vars, ...(read.module_path ?? []), read.tree ?? []].flat();
  return { command, mine: judge(command).effect, real, odd: more.length > 0 || Number(read.seconds) > 0 };
}

describe.skipIf(!hasAnsible)(
  `against the real parser of the command line${hasAnsible ? '' : ' (skipped: ansible-core is not installed)'}`,
  () => {
    test(`${verifies('C-4')} what is taken for a read is one as ansible reads the words`, () => {
      const lines = [
        ...fc.sample(words, { numRuns: 500, seed: 5 }),
        ...fc.sample(words, { numRuns: 500, seed: 6 }).map((some) => ['web1', '-m', 'ping', ...some]),
      ];
      const answers = askPython(CLI, lines) as { read?: Parsed }[];
      const compared = lines.flatMap((line, index) => {
        const read = answers[index]?.read;
        return read === undefined ? [] : [compare(line, read)];
      });
      for (const { mine, command, real, odd } of compared.filter(({ mine: effect }) => effect === 'read_only'))
        expect({ mine, real, odd }, command).toEqual({ mine, real: 'read_only', odd: false });
      for (const { real, command } of compared.filter(({ mine }) => mine === 'mutating'))
        expect(real, command).not.toBe('read_only');
      const reads = compared.filter(({ mine }) => mine === 'read_only').length;
      const changes = compared.filter(({ mine }) => mine === 'mutating').length;
      console.error(`ad-hoc lines as ansible reads them: ${reads} read_only, ${changes} mutating, no one wrong`);
      expect(reads).toBeGreaterThan(20);
      expect(changes).toBeGreaterThan(10);
    });
  },
);
