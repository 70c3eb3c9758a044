import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAY_HAVE_RUN, NOT_SENT } from '../src/domain/errors.js';
import { nativeTools } from '../src/native/tools.js';

const recovery = { maxRecoverBytes: 1, confirm: 'human', scope: 'receipts', denyPaths: [], allowPaths: [] } as const;
const tools = new Set(nativeTools(recovery).map(({ name }) => name));
const skills = readdirSync('skills').map((name) => join('skills', name, 'SKILL.md'));

test.each(skills)('%s: a front matter with name and description, and only tools and codes that exist', (file) => {
  expect(existsSync(file)).toBe(true);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^---\nname: [a-z-]+\ndescription: \S.{40,}\n---\n/);
  const named = [...text.matchAll(/\bzerto_[a-z_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !tools.has(name))).toEqual([]);
  const codes = [...text.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => code);
  expect(codes.filter((code) => ![...NOT_SENT, ...MAY_HAVE_RUN].some((known) => known === code))).toEqual([]);
});

test('the skill tells of every tool of the proxy', () => {
  const text = readFileSync('skills/zerto-rewind/SKILL.md', 'utf8');
  expect([...tools].filter((name) => !text.includes(name))).toEqual([]);
});
