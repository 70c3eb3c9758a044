import { describe, expect, test } from 'vitest';
import { findModule } from '../../../src/classify/ansible/modules/index.js';
import { classify } from '../../../src/classify/index.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';
import { askPython, hasAnsible, moduleEffect } from './support.js';

/** Loads playbooks with ansible's own classes, which render and run nothing, and lists the action and arguments of every task in them. */
const LOAD = `
import json, sys, os, tempfile
from ansible.parsing.dataloader import DataLoader
from ansible.vars.manager import VariableManager
from ansible.inventory.manager import InventoryManager
from ansible.playbook import Playbook
from ansible.playbook.block import Block
loader = DataLoader()
inventory = InventoryManager(loader=loader, sources="web1,")
manager = VariableManager(loader=loader, inventory=inventory)
def flat(item):
    if isinstance(item, Block):
        for part in (item.block, item.rescue, item.always):
            for each in part:
                yield from flat(each)
    else:
        yield item
def one(directory, index, text):
    path = os.path.join(directory, "%d.yml" % index)
    with open(path, "w") as file:
        file.write(text)
    try:
        tasks = []
        for play in Playbook.load(path, variable_manager=manager, loader=loader).get_plays():
            for block in play.pre_tasks + play.tasks + play.post_tasks + play.handlers:
                tasks += [(t.action, {k: v for k, v in t.args.items()}, t.delegate_to) for t in flat(block) if t.implicit is False]
        return {"read": tasks}
    except Exception as error:
        return {"error": str(error)[:100]}
with tempfile.TemporaryDirectory() as directory:
    os.environ["HOME"] = directory
    json.dump([one(directory, i, t) for i, t in enumerate(json.load(sys.stdin))], sys.stdout, default=str)
`;

type Tasks = readonly (readonly [action: string, args: Readonly<Record<string, unknown>>, where: string | null])[];

const TASKS = [
  'ping:',
  'ansible.builtin.ping: {}',
  'stat: path=/etc/hosts',
  'stat:\n    path: /etc/hosts',
  'command: uptime',
  'command: uptime chdir=/var/log',
  'command:\n    cmd: uptime',
  'command: ls\n  args:\n    chdir: /var/log',
  'command:\n    argv: [ls, -l]',
  'shell: df -h | grep sda',
  'shell: rm -rf /srv',
  'shell: |\n    uptime\n    rm /x',
  'shell: >-\n    echo a\n    > /etc/motd',
  'raw: reboot',
  'action: ping',
  'action: shell rm /x',
  'action: copy src=a dest=/b',
  'action:\n    module: copy\n    src: a\n    dest: /b',
  'local_action: command uptime',
  'local_action: command rm /x',
  'local_action:\n    module: file\n    path: /x\n    state: absent',
  'copy: src=a dest=/b',
  'ansible.builtin.copy:\n    src: a\n    dest: /b',
  'ansible.legacy.file: path=/x state=absent',
  'service: name=nginx state=restarted',
  'user: name=x state=absent',
  'reboot:',
  'debug: msg=hello',
  'debug:\n    var: inventory_hostname',
  'set_fact: {colour: blue}',
  'meta: end_play',
  'fail: msg=no',
  'assert:\n    that: [a is defined]',
  'apt: name=nginx',
];
const BESIDE = [
  'name: n',
  'when: a is defined',
  'tags: [a]',
  'register: out',
  'become: yes',
  'delegate_to: web2',
  'check_mode: yes',
  'check_mode: no',
  'ignore_errors: yes',
  'loop: [a, b]',
  'notify: h',
  'run_once: true',
  'until: out.rc == 0',
];

const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));
const task = fc
  .tuple(
    fc.constantFrom(...TASKS),
    fc.uniqueArray(fc.constantFrom(...BESIDE), { maxLength: 3, selector: (s) => s.split(':')[0] }),
    fc.boolean(),
  )
  .map(([action, beside, first]) => {
    const lines = first ? [...beside, action] : [action, ...beside];
    return `- ${lines.join('\n  ')}\n`;
  });
const block = (inner: fc.Arbitrary<string>) =>
  fc
    .tuple(inner, fc.option(inner), fc.option(inner))
    .map(([tasks, rescue, always]) =>
      [
        `- block:\n${indent(tasks, 4)}`,
        rescue === null ? '' : `  rescue:\n${indent(rescue, 4)}`,
        always === null ? '' : `  always:\n${indent(always, 4)}`,
      ].join(''),
    );
const some = (items: fc.Arbitrary<string>) =>
  fc.array(items, { minLength: 1, maxLength: 2 }).map((each) => each.join(''));
const inner = some(fc.oneof({ arbitrary: task, weight: 3 }, block(some(task))));
const list = some(fc.oneof({ arbitrary: task, weight: 3 }, block(inner)));
const playbook = fc
  .tuple(list, fc.option(list), fc.option(list), fc.option(list), fc.boolean())
  .map(([tasks, before, after, handlers, facts]) =>
    [
      `- hosts: all\n  gather_facts: ${facts ? 'yes' : 'no'}\n`,
      before === null ? '' : `  pre_tasks:\n${indent(before, 4)}`,
      `  tasks:\n${indent(tasks, 4)}`,
      after === null ? '' : `  post_tasks:\n${indent(after, 4)}`,
      // A handler needs a name, and takes no block here.
      handlers === null || /block|name:|notify/.test(handlers)
        ? ''
        : `  handlers:\n${indent(handlers.replace(/^- /gm, '- name: h\n  '), 4)}`,
    ].join(''),
  );

const isRead = (source: string) =>
  classify([{ kind: 'ansible_playbook', source, check: false }]).effect === 'read_only';

describe.skipIf(!hasAnsible)(
  `against the tasks that the real ansible-core loads${hasAnsible ? '' : ' (skipped: it is not installed)'}`,
  () => {
    const sources = fc.sample(playbook, { numRuns: 600, seed: 3 });
    const answers = hasAnsible ? (askPython(LOAD, sources) as { read?: Tasks; error?: string }[]) : [];

    test('most of the playbooks are playbooks', () => {
      const errors = answers.flatMap(({ error }) => error ?? []);
      console.error(`loaded ${answers.length - errors.length} of ${answers.length}`, errors.slice(0, 3));
      expect(errors.length).toBeLessThan(answers.length / 3);
    });

    test(`${verifies('C-4')} every task that ansible finds is judged, wherever it stands`, () => {
      let tasks = 0;
      sources.forEach((source, index) => {
        const read = answers[index]?.read;
        if (read === undefined) return;
        const { findings } = classify([{ kind: 'ansible_playbook', source, check: false }]);
        const left = findings.map(({ subject }) => findModule(subject)?.name ?? subject);
        for (const [action] of read) {
          const name = findModule(action)?.name ?? action;
          const at = left.indexOf(name);
          expect(at, `${name} in\n${source}`).toBeGreaterThanOrEqual(0);
          left.splice(at, 1);
          tasks += 1;
        }
      });
      console.error(`tasks found by both: ${tasks}`);
      expect(tasks).toBeGreaterThan(500);
    });

    test(`${verifies('C-4')} a playbook is read_only only where every task is that ansible finds`, () => {
      const reads = sources.filter(
        (source, index) => answers[index]?.read !== undefined && !/check_mode: yes/.test(source) && isRead(source),
      );
      for (const source of reads) {
        for (const [action, args] of answers[sources.indexOf(source)]?.read ?? [])
          expect(moduleEffect(action, args), `${action} ${JSON.stringify(args)} in\n${source}`).toBe('read_only');
      }
      console.error(`read_only playbooks: ${reads.length}`);
      expect(reads.length).toBeGreaterThan(10);
    });

    test('local actions run on the controller, as ansible sees them too', () => {
      const local = answers.flatMap(({ read }) => read ?? []).filter(([, , where]) => where === 'localhost');
      expect(local.length).toBeGreaterThan(10);
    });
  },
);
