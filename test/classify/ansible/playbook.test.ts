import { describe, expect, test } from 'vitest';
import { play, playbookEffect } from './support.js';

const tasks = (text: string): string => play(text, 'gather_facts: no');

const READ_ONLY: Readonly<Record<string, string>> = {
  'facts alone': '- hosts: all\n',
  'no facts and no task': '- hosts: all\n  gather_facts: false\n',
  'a free-form command': tasks('- command: uptime'),
  'a dictionary': tasks('- stat:\n    path: /etc/hosts\n  register: there'),
  'options as a text': tasks('- stat: path=/etc/hosts'),
  'args beside the command': tasks('- command: ls -l\n  args:\n    chdir: /var/log'),
  'full names': tasks('- ansible.builtin.shell: df -h | grep sda'),
  'an old action': tasks('- action: ping'),
  'an old action with options': tasks('- action: stat path=/etc/hosts'),
  'an old action as a dictionary': tasks('- action:\n    module: stat\n    path: /etc/hosts'),
  'a local action': tasks('- local_action: command uptime'),
  'a condition that compares': tasks(
    "- ping:\n  when: ansible_facts['os_family'] == 'Debian' and (x | default(0) | int) > 3",
  ),
  'a list of conditions': tasks('- ping:\n  when:\n    - a is defined\n    - not b'),
  'a loop of words': tasks('- ping:\n  loop: [a, b]\n  loop_control:\n    label: x'),
  'a loop of items': tasks('- ping:\n  with_items:\n    - a'),
  'retries until': tasks('- command: uptime\n  register: out\n  until: out.rc == 0\n  retries: 3\n  delay: 2'),
  'never changed': tasks('- command: uptime\n  changed_when: false\n  failed_when: false\n  ignore_errors: yes'),
  'another user': play('- ping:\n  become: yes\n  become_user: postgres\n  become_method: sudo'),
  'another host': tasks('- ping:\n  delegate_to: web2\n  run_once: true'),
  blocks: tasks('- block:\n    - ping:\n  rescue:\n    - debug: msg=no\n  always:\n    - command: uptime'),
  'a list in the block’s own indentation': tasks('- block:\n  - block:\n    - ping:'),
  'handlers and other lists':
    '- hosts: all\n  pre_tasks: [{ping: }]\n  post_tasks: [{ping: }]\n  handlers:\n    - name: h\n      debug: {msg: x}\n      listen: l\n  tasks: []\n',
  'variables that say nothing': play('- ping:\n  vars: {colour: blue, size: [1, 2]}', 'vars: {a: b}'),
  'many keywords': play(
    '- ping:',
    'name: n\nserial: "30%"\nstrategy: free\nconnection: ssh\nremote_user: ops\ntags: [a]\nany_errors_fatal: no\norder: sorted\nmax_fail_percentage: 10\ngather_subset: [network]',
  ),
  'several plays': '- hosts: web\n- hosts: db\n  tasks:\n    - ping:\n',
  'a document start': '---\n- hosts: all\n  tasks:\n    - ping:\n',
  CRLF: '- hosts: all\r\n  tasks:\r\n    - ping:\r\n',
  JSON: '[{"hosts": "all", "tasks": [{"ping": {}}]}]',
  'an alias': '- hosts: all\n  tasks:\n    - &t\n      ping:\n    - *t\n',
  'a merge': '- hosts: all\n  tasks:\n    - &t\n      ping:\n    - <<: *t\n      name: again\n',
  'empty keywords': play('- ping:\n  environment: {}\n  async: 0', 'roles: []\nvars_files: []\ncollections: []'),
  'text in other letters': play('- debug: {msg: "prüfe München: ✓"}'),
};

const NOT_READ_ONLY: Readonly<Record<string, string>> = {
  nothing: '',
  'a comment': '# nothing\n',
  'no list': 'hosts: all\n',
  'a word': 'site.yml',
  'no hosts': '- tasks:\n    - ping:\n',
  'tasks that are no list': '- hosts: all\n  tasks: {ping: }\n',
  'a task that is no mapping': tasks('- ping'),
  'a task without a module': tasks('- name: nothing'),
  'two modules': tasks('- ping:\n  stat: path=/x'),
  'a block with a module': tasks('- block: []\n  ping:'),
  'a module that is not known': tasks('- pingg:'),
  'a template in the hosts': "- hosts: \"{{ lookup('pipe', 'id') }}\"\n  tasks: [{ping: }]\n",
  'a template in a name': tasks("- name: \"{{ lookup('pipe', 'id') }}\"\n  ping:"),
  'a template in a variable': play('- ping:', 'vars: {x: "{{ y }}"}'),
  'a template in a key': tasks('- stat: {"{{ x }}": 1}'),
  'a template in a loop': tasks('- ping:\n  loop: "{{ x }}"'),
  'a statement': tasks('- debug: {msg: "{% for x in y %}{% endfor %}"}'),
  'a loop over what a variable holds': tasks('- ping:\n  with_items: x'),
  'a lookup as a loop': tasks('- ping:\n  with_pipe: [touch /tmp/x]'),
  'lines of a command as a loop': tasks('- ping:\n  with_lines: [touch /tmp/x]'),
  'a call in a condition': tasks("- ping:\n  when: lookup('pipe', 'id') == ''"),
  'a call in a list of conditions': tasks("- ping:\n  when: [a, query('pipe', 'id')]"),
  'a call in failed_when': tasks("- ping:\n  failed_when: lookup('pipe','id')"),
  'a condition that a variable holds': play('- ping:\n  when: x', "vars: {x: \"lookup('pipe', 'id')\"}"),
  'a condition that an item holds': tasks("- ping:\n  when: item\n  loop: [\"lookup('pipe', 'id')\"]"),
  'the environment': tasks('- command: uptime\n  environment: {LD_PRELOAD: /tmp/x.so}'),
  'the environment of a play': play('- ping:', 'environment: [{PATH: /tmp}]'),
  'a connection variable': play('- ping:', 'vars: {ansible_shell_executable: /tmp/x}'),
  'a connection variable of a task': tasks('- ping:\n  vars: {ansible_python_interpreter: /tmp/x}'),
  'registered as a connection variable': tasks('- ping:\n  register: ansible_host'),
  roles: play('- ping:', 'roles: [common]'),
  'files of variables': play('- ping:', 'vars_files: [x.yml]'),
  'a prompt': play('- ping:', 'vars_prompt: [{name: x}]'),
  collections: play('- ping:', 'collections: [my.own]'),
  defaults: play('- ping:', 'module_defaults: {command: {chdir: /}}'),
  'a directory of facts': play('- ping:', 'fact_path: /tmp'),
  'a strategy': play('- ping:', 'strategy: mine'),
  'a debugger': play('- ping:', 'debugger: always'),
  'another connection': play('- ping:', 'connection: mine'),
  'a program that gives rights': tasks('- ping:\n  become_exe: /tmp/x'),
  'options for the login': tasks('- ping:\n  remote_user: "-oProxyCommand=x"'),
  'a job': tasks('- command: uptime\n  async: 60\n  poll: 5'),
  'an import': '- import_playbook: x.yml\n',
  'an include': tasks('- include_tasks: x.yml'),
  'an old include': tasks('- include: x.yml'),
  'a role in a task': tasks('- import_role: {name: x}'),
  'new targets': tasks('- add_host: name=x'),
  'a keyword of plays in a task': tasks('- ping:\n  strategy: free'),
  'args that a variable holds': tasks('- command: ls\n  args: x'),
  'arguments twice': tasks('- stat: path=/x\n  args: {path: /y}'),
  'a vault': tasks('- debug: {msg: !vault x}'),
  'an unsafe text': tasks('- debug: {msg: !unsafe "{{ x }}"}'),
  'a Python object': tasks('- debug: {msg: !!python/object/apply:os.system ["id"]}'),
  'an anchor that swallows a text': tasks('- debug: &a?{msg: x}'),
  'a text that may be a key': tasks('- stat: {?path: /x}'),
  'a tag of YAML': tasks('- debug: {msg: !!str x}'),
  'a directive': '%YAML 1.2\n---\n- hosts: all\n',
  'two keys alike': tasks('- ping:\n  ping:'),
  'two plays of which one is hidden behind a line separator': '- hosts: all # \u2028- hosts: x\n',
  'a lone carriage return': '- hosts: all # x\r  tasks: [{shell: reboot}]\n',
  'an end of file sign': '- hosts: all\n\0',
  'a fact cache': tasks('- set_fact: {x: 1, cacheable: yes}'),
  'values of a safe kind in JSON':
    '[{"hosts": "all", "tasks": [{"command": {"cmd": {"__ansible_unsafe": "reboot"}}}]}]',
};

const MUTATING: Readonly<Record<string, string>> = {
  'a change': tasks('- copy: src=a dest=/b'),
  'a change in a block': tasks('- block:\n    - block:\n        - file: path=/x state=absent'),
  'a change in rescue': tasks('- block:\n    - ping:\n  rescue:\n    - reboot:'),
  'a change in always': tasks('- block: []\n  always:\n    - reboot:'),
  'a change in a handler': '- hosts: all\n  handlers:\n    - service: name=x state=restarted\n',
  'a change before': '- hosts: all\n  pre_tasks:\n    - apt: name=x\n',
  'a change after': '- hosts: all\n  post_tasks:\n    - apt: name=x\n',
  'a command': tasks('- shell: rm -rf /srv'),
  'a command behind a template': tasks('- name: "{{ x }}"\n  shell: rm -rf /srv'),
  'a user, which is a keyword of plays': tasks('- user: name=x state=absent'),
  'an old action that changes': tasks('- action: copy src=a dest=/b'),
  'a local change': tasks('- local_action: command rm /x'),
  'a second play': '- hosts: a\n- hosts: b\n  tasks:\n    - reboot:\n',
  'a second document': '- hosts: a\n---\n- hosts: b\n  tasks:\n    - reboot:\n',
  'an alias of a change': '- hosts: all\n  tasks:\n    - &t\n      reboot:\n    - *t\n',
  'words of a command': tasks('- command:\n    argv: [rm, -rf, /srv]'),
  'beside roles': play('- reboot:', 'roles: [x]'),
};

test.each(Object.entries(READ_ONLY))('%s: read_only', (_, source) => {
  expect(playbookEffect(source)).toBe('read_only');
});

test.each(Object.entries(NOT_READ_ONLY))('%s: not read_only', (_, source) => {
  expect(playbookEffect(source)).not.toBe('read_only');
  expect(playbookEffect(source, true)).not.toBe('read_only');
});

test.each(Object.entries(MUTATING))('%s: mutating', (_, source) => {
  expect(playbookEffect(source)).toBe('mutating');
});

describe('with --check', () => {
  const change = '- copy: src=a dest=/b';

  test('modules that are known to keep their promise only predict', () => {
    expect(playbookEffect(tasks(change), true)).toBe('read_only');
    expect(playbookEffect(tasks('- command: uptime\n- file: path=/x state=touch'), true)).toBe('read_only');
    expect(playbookEffect(play(change, 'check_mode: true'))).toBe('read_only');
    expect(playbookEffect(tasks(`${change}\n  check_mode: true`))).toBe('read_only');
  });

  test.each([
    ['a task that runs all the same', tasks(`${change}\n  check_mode: false`), 'mutating'],
    ['a block that runs all the same', tasks(`- block:\n    ${change}\n  check_mode: no`), 'mutating'],
    ['a play that runs all the same', play(change, 'check_mode: false'), 'mutating'],
    ['a mode in a variable', tasks(`${change}\n  check_mode: "{{ x }}"`), 'mutating'],
    ['a mode that is a text', tasks(`${change}\n  check_mode: "true"`), 'mutating'],
    ['a module without check mode', tasks('- unarchive: src=a dest=b'), 'unknown'],
    ['a lookup', tasks("- copy: {content: \"{{ lookup('pipe', 'id') }}\", dest: /b}"), 'unknown'],
    ['an include', tasks('- include_tasks: x.yml'), 'unknown'],
  ])('%s', (_, source, effect) => {
    expect(playbookEffect(source, true)).toBe(effect);
  });
});
