import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { SSH_TOOLS, ssh } from '../../interceptors/ssh.js';

test('every tool of the installed ssh-mcp is as catalogued', async () => {
  const home = await mkdtemp(join(tmpdir(), 'rewind-ssh-mcp-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const root = dirname(createRequire(import.meta.url).resolve('ssh-mcp/package.json'));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'build', 'index.js')],
      env: { HOME: home, USERPROFILE: home, APPDATA: home, PATH: process.env['PATH'] ?? '' },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const info = client.getServerVersion();
  expect(tools.map(({ name }) => name).sort()).toEqual([...SSH_TOOLS.keys()].sort());
  const description = (tool: (typeof tools)[number]) => ({
    name: tool.name,
    inputSchema: tool.inputSchema,
    annotations: { destructiveHint: tool.annotations?.destructiveHint === true },
  });
  const server = { name: 'ssh', ...(info === undefined ? {} : { info: { name: info.name, version: info.version } }) };
  expect(tools.filter((tool) => !ssh.claims(server, tool.name, description(tool))).map(({ name }) => name)).toEqual([]);
});
