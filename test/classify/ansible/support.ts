import { spawnSync } from 'node:child_process';
import { classify } from '../../../src/classify/index.js';
import type { Effect } from '../../../src/domain/assessment.js';

export const moduleEffect = (module: string, args: unknown = undefined, check = false): Effect =>
  classify([{ kind: 'ansible_module', module, args, check }]).effect;

export const playbookEffect = (source: string, check = false): Effect =>
  classify([{ kind: 'ansible_playbook', source, check }]).effect;

/** A play around these tasks, written as YAML. */
export const play = (tasks: string, keywords = ''): string =>
  `- hosts: all\n${indent(keywords, '  ')}  tasks:\n${indent(tasks, '    ')}`;

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${by}${line}\n`)
    .join('');
}

const PYTHON = '/usr/bin/python3';
/** Whether the real ansible-core can be asked how it reads something; where it is not installed, those tests are skipped. */
export const hasAnsible = spawnSync(PYTHON, ['-c', 'import ansible'], { stdio: 'ignore' }).status === 0;

/** What a Python program that only parses prints for this input, as JSON. */
export function askPython(program: string, input: unknown): unknown {
  const { stdout, stderr, status } = spawnSync(PYTHON, ['-c', program], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}
