// The bench's own clients: as little as can be said about a session, so that what is measured is what stands behind it.
import { spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const PATIENCE_MS = 20_000;
const LEAVE_MS = 3_000;
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };

/** A running process; `failed` rejects when it ends before `stop`. */
function launch([command, ...args], stdio, env) {
  const child = spawn(command, args, { stdio, env: { ...process.env, ...env } });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr = `${stderr}${text}`.slice(-2000);
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const failed = new Promise((_, reject) => {
    const fail = (code) => reject(new Error(`ended (${code}): ${stderr.trim().split('\n').at(-1)}`));
    child.once('error', (error) => fail(error.message));
    child.once('close', fail);
  });
  failed.catch(() => undefined);
  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
    await closed;
    clearTimeout(timer);
  };
  return { child, failed, stop };
}

function inTime(promise, failed) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  return Promise.race([promise, failed, late]).finally(() => clearTimeout(timer));
}

/** A program that speaks MCP on stdio. */
export function overStdio(command, env) {
  const { child, failed, stop } = launch(command, ['pipe', 'pipe', 'pipe'], env);
  const waiting = new Map();
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let next = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++next;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const greet = async () => {
    await inTime(request('initialize', HELLO), failed);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await inTime(request('tools/list', {}), failed);
  };
  const close = () => {
    child.stdin.end();
    return stop();
  };
  return { pid: child.pid, request, greet, close };
}

/** A port that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A program that serves MCP on `port`; `open` begins a session. */
export function overHttp(command, port, env) {
  const { child, failed, stop } = launch(command, ['pipe', 'ignore', 'pipe'], env);
  const close = () => {
    child.kill('SIGTERM');
    return stop();
  };
  return { pid: child.pid, open: () => httpSession(port, failed), close };
}

/** A session with whoever serves MCP on `port`; `failed` rejects when that has ended. */
export function httpSession(port, failed) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  let headers = base;
  let next = 0;
  const send = (method, text) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/mcp', method, agent, headers };
      const request = httpRequest(options, (response) => {
        const session = response.headers['mcp-session-id'];
        if (session !== undefined && headers === base)
          headers = { ...base, 'mcp-session-id': session, 'mcp-protocol-version': HELLO.protocolVersion };
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, body }));
      });
      request.once('error', reject);
      request.end(text);
    });
  const request = async (method, params) => {
    const { status, body } = await send('POST', JSON.stringify({ jsonrpc: '2.0', id: ++next, method, params }));
    const text = body.startsWith('{') ? body : /^data: ?(\{.*)$/m.exec(body)?.[1];
    if (text === undefined) throw new Error(`HTTP ${status}: ${body.slice(0, 200)}`);
    return JSON.parse(text);
  };
  const greet = async () => {
    await inTime(listening(request), failed);
    await send('POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    await inTime(request('tools/list', {}), failed);
  };
  const close = async () => {
    await send('DELETE').catch(() => undefined);
    agent.destroy();
  };
  return { request, greet, close };
}

/** Tries until somebody listens. */
async function listening(request) {
  for (;;) {
    try {
      return await request('initialize', HELLO);
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
