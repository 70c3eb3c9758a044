import { expect, test } from 'vitest';
import { classify } from '../../../src/classify/index.js';
import { coverage } from '../../../src/domain/assessment.js';

const adHoc = (module: string, args: unknown) => classify([{ kind: 'ansible_module', module, args, check: false }]);
const play = (tasks: string, more = '') =>
  classify([{ kind: 'ansible_playbook', check: false, source: `- hosts: web\n${more}  tasks:\n${tasks}` }]);

test.each([
  ['copy', 'dest=/a content=b', 'vm'],
  ['fetch', 'src=/a dest=/b', 'elsewhere'],
  ['ansible.posix.synchronize', 'src=/a dest=/b', 'vm'],
  ['ansible.posix.synchronize', 'src=/a dest=/b mode=push', 'vm'],
  ['ansible.posix.synchronize', 'src=/a dest=/b mode=pull', 'elsewhere'],
  ['synchronize', { src: '/a', dest: '/b', mode: 'pull' }, 'elsewhere'],
  ['ansible.posix.synchronize', 'src=/a dest=/b mode={{ m }}', 'partly'],
  ['community.vmware.vmware_guest', 'name=x state=absent', 'elsewhere'],
  ['copy', "dest=/a content={{ lookup('pipe', 'rm -rf /srv') }}", 'partly'],
  ['copy', "dest=/a content={{ lookup('file', '/etc/x') }}", 'partly'],
  ['copy', "dest=/a content={{ query('pipe', 'x') }}", 'partly'],
  ['copy', { dest: '/a', content: '{% for x in lookup("pipe", "x") %}{% endfor %}' }, 'partly'],
  ['copy', { dest: '/a', content: '{{ name | map("x") }}' }, 'partly'],
  ['copy', { dest: '/a', content: 'a {{ name }} b {{ other.port | default(80) }}' }, 'vm'],
  ['debug', { msg: "{{ lookup('pipe', 'x') }}" }, 'partly'],
] as const)('a checkpoint of the host covers of %s %j: %s', (module, args, expected) => {
  expect(coverage(adHoc(module, args))).toBe(expected);
});

test('what a lookup runs is not seen', () => {
  const { effect, findings } = adHoc('debug', { msg: "{{ lookup('pipe', 'x') }}" });
  expect(effect).toBe('unknown');
  expect(findings).toContainEqual(expect.objectContaining({ effect: 'unknown', elsewhere: true }));
});

const COPY = '    - copy: { dest: /a, content: b }\n';
const MORE = '      ';

test.each([
  [COPY, '', 'vm'],
  [`${COPY}${MORE}delegate_to: localhost\n`, '', 'elsewhere'],
  [`${COPY}${MORE}delegate_to: 127.0.0.1\n`, '', 'elsewhere'],
  [`${COPY}${MORE}delegate_to: db01\n`, '', 'vm'],
  [`${COPY}${MORE}connection: local\n`, '', 'elsewhere'],
  [`${COPY}${COPY}${MORE}delegate_to: localhost\n`, '', 'partly'],
  ['    - local_action: copy dest=/a content=b\n', '', 'elsewhere'],
  ['    - block:\n        - copy: { dest: /a, content: b }\n      delegate_to: localhost\n', '', 'elsewhere'],
  [COPY, '  connection: local\n', 'elsewhere'],
  [`${COPY}${MORE}with_pipe: [ls]\n`, '', 'partly'],
  [`${COPY}${MORE}when: lookup('pipe', 'x')\n`, '', 'partly'],
  [`${COPY}${MORE}when: mode == 'x'\n`, '', 'vm'],
  [`${COPY}${MORE}vars: { x: "{{ lookup('pipe', 'x') }}" }\n`, '', 'partly'],
  ['    - fetch: { src: /a, dest: /b }\n', '', 'elsewhere'],
])('a checkpoint of the hosts covers of the tasks %j (%j): %s', (tasks, more, expected) => {
  expect(coverage(play(tasks, more))).toBe(expected);
});

test('a play on the controller is none of the hosts', () => {
  const source = `- hosts: localhost\n  tasks:\n${COPY}`;
  expect(coverage(classify([{ kind: 'ansible_playbook', check: false, source }]))).toBe('elsewhere');
});
