import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/config/json-schema.js';
import { loadConfig } from '../../src/config/load.js';

const FILE = 'proxy.config.schema.json';

test(`${FILE} is the schema of the program; UPDATE_SCHEMA=1 writes it anew`, async () => {
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(FILE, text);
  expect(JSON.parse(await readFile(FILE, 'utf8'))).toEqual(JSON.parse(text));
});

test('the schema knows every key, and says of each what it is', () => {
  const schema = configJsonSchema();
  expect(Object.keys(schema.properties ?? {})).toEqual(
    expect.arrayContaining(['$schema', 'zvm', 'mcpServers', 'targets', 'policy', 'guard', 'recovery', 'audit']),
  );
  expect(schema.additionalProperties).toBe(false);
  expect(schema['required'] ?? []).toEqual([]);
  expect(JSON.stringify(schema)).toContain('withheld from the wrapped servers');
});

test('the file at the root is valid, and runs on the embedded appliance', async () => {
  const config = await loadConfig({
    file: join('proxy.config.json'),
    env: {},
    platform: process.platform,
    home: '/nonexistent',
  });
  expect(config.zvm).toEqual({ kind: 'simulator' });
  expect(config.mcpServers['ssh']).toMatchObject({
    family: 'ssh',
    shell: 'bash',
    target: 'app01',
    start: { kind: 'command', command: 'npx', args: ['--no-install', 'ssh-mcp'] },
  });
});
