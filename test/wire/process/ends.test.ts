import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/domain/call.js';
import { exitCode, startChild } from '../../../src/wire/child.js';
import type { Relay } from '../../../src/wire/relay.js';
import { mintPermit } from '../../support/permit.js';
import { alive, Harness, recordingLog, until } from './harness.js';

const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}';
const NODE = process.execPath;

describe('how the downstream ends', () => {
  it('answers what is pending with an error, says what was sent, and ends with the code of the child', async () => {
    const errors: unknown[] = [];
    const harness = new Harness({
      handle:
        (relay) =>
        async (call, { signal }) => {
          if (call.tool === 'held') await new Promise((resolve) => signal.addEventListener('abort', resolve));

          return forwarded(relay(), call).catch((error) => {
            errors.push([call.tool, error.code]);
            throw error;
          });
        },
    });
    await harness.initialize();
    harness.call(1, 'held');
    harness.call(2, 'hang');
    await until(() => harness.calls.length === 2);
    harness.call(3, 'exit', { code: 3 });
    expect(await harness.exit).toBe(3);
    const [held, hang, exit] = [await harness.answer(1), await harness.answer(2), await harness.answer(3)];
    expect(held.error?.code).toBe(-32000);
    expect(held.error?.message).toContain('was not sent');
    expect(hang.error?.message).toContain('was sent and may have run');
    expect(exit.error?.message).toContain('"raw-server" ended (exit code 3)');
    expect(errors).toEqual(
      expect.arrayContaining([
        ['hang', 'OUTCOME_UNKNOWN'],
        ['exit', 'OUTCOME_UNKNOWN'],
        ['held', 'CALL_CANCELLED'],
      ]),
    );
  });

  it('delivers the answers that came before it says what has none', async () => {
    const harness = new Harness({
      handle: (relay) => async (call) => {
        const answer = await relay().forward(call, mintPermit(call));
        await new Promise((resolve) => setTimeout(resolve, 100));
        return answer;
      },
    });
    await harness.initialize();
    harness.call(1, 'hang');
    await until(() => harness.calls.length === 1);
    harness.call(2, 'big', { mib: 1, exit: 0 });
    await harness.exit;
    expect(harness.received.map((line) => JSON.parse(line).id)).toEqual([2, 1]);
  });

  it('ends with 128+n after a signal', async () => {
    const harness = new Harness();
    await harness.initialize();
    harness.call(1, 'kill', { signal: 'SIGKILL' });
    expect(await harness.exit).toBe(137);
    expect((await harness.answer(1)).error?.code).toBe(-32000);
  });

  it('answers an initialize that finds the child gone already', async () => {
    const harness = new Harness({ server: { exitAtOnce: 4 } });
    await harness.child.exit;
    harness.send(initialize);
    expect(await harness.exit).toBe(4);
    expect((await harness.answer(1)).error?.message).toContain('was not sent');
  });

  it('answers a pending initialize where the command does not exist, and ends with 127', async () => {
    const harness = new Harness({ command: 'no-such-command-anywhere', args: [] });
    harness.send(initialize);
    expect(await harness.exit).toBe(127);
    const { error } = await harness.answer(1);
    expect(error?.code).toBe(-32000);
    expect(error?.message).toContain('could not be started');
  });

  it('ends with 127 also where the start itself throws', async () => {
    const harness = new Harness({ env: { BAD: 'a\0b' } });
    harness.send(initialize);
    expect(await harness.exit).toBe(127);
    expect((await harness.answer(1)).error?.message).toContain('could not be started');
  });

  it('delivers a last answer of megabytes in full before it declares the child gone', async () => {
    const harness = new Harness();
    await harness.initialize();
    harness.output.pause();
    harness.call(1, 'big', { mib: 24, exit: 5 });
    await new Promise((resolve) => setTimeout(resolve, 700));
    harness.output.resume();
    expect(await harness.exit).toBe(5);
    expect(harness.received.map((line) => line.length)).toEqual([24 * 1024 * 1024 + 73]);
  });

  it('ends a child that closed its stdin and lives on, once a request cannot reach it', async () => {
    const source = 'require("node:fs").closeSync(0);console.log("{}");setInterval(()=>{},1000)';
    const harness = new Harness({ args: ['-e', source] });
    await harness.next();
    harness.send(initialize);
    harness.send(initialize.replace('"id":1', '"id":2'));
    expect(await harness.exit).toBeGreaterThan(0);
    expect((await harness.answer(1)).error?.code).toBe(-32000);
    expect((await harness.answer(2)).error?.code).toBe(-32000);
  });

  it.skipIf(process.platform === 'win32')('kills a grandchild that ignores TERM and holds stdout', async () => {
    const harness = new Harness();
    await harness.initialize();
    harness.call(1, 'grandchild');
    const pid = Number(await harness.text(1));
    expect(alive(pid)).toBe(true);
    harness.call(2, 'exit', { code: 0 });
    expect(await harness.exit).toBe(0);
    await until(() => !alive(pid));
  });

  it('waits for a slow reader of what a child left behind', async () => {
    const { log } = recordingLog();
    const child = startChild({
      command: NODE,
      args: ['-e', 'require("node:fs").writeSync(1, "x".repeat(150000))'],
      env: process.env,
      log,
    });
    let bytes = 0;
    for await (const chunk of child.output) {
      bytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 900));
    }
    expect(bytes).toBe(150_000);
    expect(exitCode(await child.exit)).toBe(0);
  });

  it('gives up on a stdout that a process outside the group holds open', async () => {
    const { log } = recordingLog();
    const source = `const {spawn}=require('node:child_process');
      const stranger=spawn(process.execPath,['-e','setTimeout(()=>{},4000)'],{detached:true,stdio:['ignore','inherit','ignore']});
      stranger.unref();console.log(stranger.pid);setTimeout(()=>process.exit(6),50)`;
    const child = startChild({ command: NODE, args: ['-e', source], env: process.env, log });
    let out = '';
    child.output.on('data', (chunk) => {
      out += chunk;
    });
    expect(exitCode(await child.exit)).toBe(6);
    expect(alive(Number(out))).toBe(true);
    process.kill(Number(out));
  });
});

describe('how the client ends', () => {
  it('answers the requests of a client that closed its end at once, and ends with 0', async () => {
    const harness = new Harness({ server: { lastWords: true } });
    harness.send(initialize);
    harness.call(2, 'echo');
    expect(await harness.close()).toBe(0);
    expect((await harness.answer(1)).result).toBeDefined();
    expect((await harness.answer(2)).result).toBeDefined();
    expect(harness.received).toEqual(['{"jsonrpc":"2.0","method":"notifications/goodbye"}']);
  });

  it('still sends a call whose handler needs a moment after the client closed its end', async () => {
    const harness = new Harness({
      handle: (relay) => async (call) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return relay().forward(call, mintPermit(call));
      },
    });
    harness.send(initialize);
    harness.call(2, 'echo');
    expect(await harness.close()).toBe(0);
    expect(await harness.text(2)).toContain('"name":"echo"');
  });

  it.skipIf(process.platform === 'win32')('ends a child that ignores both the end of stdin and TERM', async () => {
    const harness = new Harness({ server: { stayOpen: true, ignoreTerm: true } });
    await harness.initialize();
    const pid = Number(harness.pids[0]);
    const began = Date.now();
    expect(await harness.close()).toBe(0);
    expect(alive(pid)).toBe(false);
    // The contract's bound, not a measure of speed.
    expect(Date.now() - began).toBeLessThan(3000);
  });

  it('never sends a call that is still held when the client is gone', async () => {
    let release: (() => void) | undefined;
    const seen: unknown[] = [];
    const harness = new Harness({
      handle: (relay) => async (call) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });

        seen.push(await forwarded(relay(), call).catch((error) => error.code));
        return { kind: 'refusal', text: 'x' };
      },
    });
    await harness.initialize();
    harness.call(1, 'echo');
    await until(() => release !== undefined);
    harness.input.end();
    const { error } = await harness.answer(1);
    expect(error?.message).toContain('was not sent');
    release?.();
    expect(await harness.exit).toBe(0);
    expect(seen).toEqual(['CALL_CANCELLED']);
  });

  it('stops at once on the signal, also while the client does not read', async () => {
    const harness = new Harness();
    await harness.initialize();
    harness.output.pause();
    harness.output.removeAllListeners('data');
    harness.call(1, 'big', { mib: 24 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    harness.stop.abort();
    expect(await harness.exit).toBe(0);
    expect(alive(Number(harness.pids[0]))).toBe(false);
  });
});

describe('what the child is started with', () => {
  it('gets its arguments verbatim and the whole environment it was given, and nothing else', async () => {
    const { log } = recordingLog();
    const args = [
      '-e',
      'console.log(JSON.stringify([process.argv.slice(1),process.env]))',
      '--',
      'a b',
      '"q"',
      '$HOME',
      '*',
      '',
      'ü',
    ];
    const env = { ONLY: 'this', PATH: process.env['PATH'] };
    const child = startChild({ command: NODE, args, env, log });
    let out = '';
    child.output.on('data', (chunk) => {
      out += chunk;
    });
    await child.exit;
    const [argv, seen] = JSON.parse(out);
    expect(argv).toEqual(['a b', '"q"', '$HOME', '*', '', 'ü']);
    expect(seen['ONLY']).toBe('this');
    expect(Object.keys(seen).filter((key) => !['ONLY', 'PATH'].includes(key) && process.platform !== 'win32')).toEqual(
      [],
    );
  });

  it('passes stderr on', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'wire-'));
    const { log } = recordingLog();
    const stderr = openSync(join(dir, 'stderr'), 'w');
    const child = startChild({
      command: NODE,
      args: ['-e', 'console.error("said on stderr")'],
      env: process.env,
      log,
      stderr,
    });
    child.output.resume();
    await child.exit;
    expect(readFileSync(join(dir, 'stderr'), 'utf8')).toBe('said on stderr\n');
    rmSync(dir, { recursive: true });
  });

  it('does nothing by itself before the first request', async () => {
    const harness = new Harness();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(harness.received).toEqual([]);
    harness.call(1, 'lists');
    // No initialize: the proxy asks nothing of its own either.
    expect(await harness.text(1)).toBe('0');
    await harness.close();
  });
});

/** As the path of a call sees it: what was not written rejects like what has no answer. */
async function forwarded(relay: Relay, call: ToolCall): ReturnType<Relay['forward']> {
  return relay.forward(call, mintPermit(call));
}
