import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkToolRules, type ToolRules } from '../interceptors/index.js';
import { createClassify } from '../src/classify/index.js';
import { userPrograms } from '../src/classify/user-commands.js';
import { splitWords } from '../src/commands/command-line.js';
import { BIN } from './support/proxy-process.js';

const readme = readFileSync('README.md', 'utf8');
const diagram = /```\n(agent ──[\s\S]*?)\n```/;

test('README and docs/architecture.md show the same path of a call', () => {
  expect(diagram.exec(readme)?.[1]).toBe(diagram.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1]);
});

test('the verdicts in the README are what classify says', () => {
  const shown = [...readme.matchAll(/^\$ zerto-rewind-proxy (classify .*)\n((?:(?!\$|```).*\n)+)/gm)];
  expect(shown.length).toBeGreaterThanOrEqual(3);
  for (const [, command = '', output] of shown) {
    expect(execFileSync(process.execPath, [BIN, ...(splitWords(command) ?? [])], { encoding: 'utf8' })).toBe(output);
  }
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/configuration.md', 'docs/rules.md'])(
  'links of %s lead somewhere',
  (file) => {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
  },
);

test('the worked examples of docs/rules.md are rules that hold', () => {
  const blocks = [...readFileSync('docs/rules.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  );
  expect(blocks).toHaveLength(3);
  for (const block of blocks) {
    const { classifier } = JSON.parse(block) as { classifier: { commands?: object; tools?: ToolRules } };
    const judge = createClassify(userPrograms({ ...classifier.commands }));
    expect(() => checkToolRules(classifier.tools ?? {}, judge)).not.toThrow();
  }
});
