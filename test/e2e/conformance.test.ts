import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  CONFORMANCE_RULES,
  CONFORMANCE_SERVER,
  runSuite,
  startConformanceServer,
  type Verdict,
  whyNoSuite,
} from '../support/conformance.js';
import { BIN } from '../support/proxy-process.js';
import { startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const missing = whyNoSuite();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const OTHER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'soak-server.mjs');
const SCENARIOS = 32;
/** Each scenario starts the server, and the wrapper, anew. */
const LIMIT = 300_000;

const stdio = { command: process.execPath, args: [CONFORMANCE_SERVER] };
const configOf = (server: object, others: object = {}) => ({
  mcpServers: { suite: server, ...others },
  classifier: { tools: CONFORMANCE_RULES },
});

/** The suite against the fixture itself. */
async function direct(): Promise<Verdict> {
  const server = await startConformanceServer();
  try {
    return await runSuite(server.url);
  } finally {
    server.close();
  }
}

/** The suite against `serve` in front of a server. */
async function throughServe(server: (scratch: string) => object, others: object = {}): Promise<Verdict> {
  const serve = await startServe({
    config: (scratch) => configOf(server(scratch), others),
    options: ['--no-token', '--idle', '3'],
  });
  try {
    return await runSuite(serve.url.href);
  } finally {
    await serve.close();
  }
}

/** The same server, wrapped on stdio. */
function wrapped(scratch: string): object {
  const config = join(scratch, 'inner.json');
  writeFileSync(config, JSON.stringify(configOf(stdio)));
  const args = [BIN, '--config', config, '--', process.execPath, CONFORMANCE_SERVER];
  return { command: process.execPath, args, env: { XDG_STATE_HOME: join(scratch, 'inner') } };
}

describe.skipIf(missing !== undefined)(`the official conformance suite${skipped}`, () => {
  let plain: Promise<Verdict> | undefined;
  const baseline = () => {
    plain ??= direct();
    return plain;
  };

  test(
    'passes without the proxy, so that there is something to lose',
    async () => {
      const { checks, scenarios, output } = await baseline();
      expect(scenarios, output).toBe(SCENARIOS);
      expect(checks.filter((line) => line.includes(' FAILURE'))).toEqual([]);
      expect(checks.filter((line) => line.endsWith(' SUCCESS')).length).toBeGreaterThanOrEqual(44);
    },
    LIMIT,
  );

  test(
    `${verifies('T-3', 'F-2')} says the same of serve in front of the server on stdio`,
    async () => {
      const before = await baseline();
      const through = await throughServe(() => stdio);
      expect(through.checks, through.output).toEqual(before.checks);
      expect(through.scenarios).toBe(SCENARIOS);
    },
    LIMIT,
  );

  test(
    `${verifies('T-3')} says the same with the stdio wrapper in between`,
    async () => {
      const before = await baseline();
      const through = await throughServe(wrapped);
      expect(through.checks, through.output).toEqual(before.checks);
    },
    LIMIT,
  );

  test(
    `${verifies('T-3', 'F-2')} says the same of serve in front of the server on HTTP`,
    async () => {
      const before = await baseline();
      const server = await startConformanceServer();
      try {
        const through = await throughServe(() => ({ url: server.url }));
        expect(through.checks, through.output).toEqual(before.checks);
      } finally {
        server.close();
      }
    },
    LIMIT,
  );

  test.skipIf(process.env['REWIND_LONG'] === undefined)(
    `${verifies('T-3')} says the same where the server is one of several`,
    async () => {
      const before = await baseline();
      const through = await throughServe(() => stdio, { other: { command: process.execPath, args: [OTHER] } });
      expect(through.checks, through.output).toEqual(before.checks);
    },
    LIMIT,
  );
});
