// Who is compared, in which arrangement. A command, or why there is none.
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const node = process.execPath;
const echo = [node, join(here, 'echo-server.mjs')];
const script = (name, ...args) => [node, join(here, name), ...args];

const MISSING = 'is not installed';

/** The program of an installed package; undefined where it is missing. */
function binOf(name) {
  const file = join(root, 'node_modules', name, 'package.json');
  if (!existsSync(file)) return undefined;
  const { bin } = createRequire(import.meta.url)(file);
  return join(dirname(file), typeof bin === 'string' ? bin : bin[name]);
}

/** `args` behind the package's program, or why not. */
function installed(name, ...args) {
  const bin = binOf(name);
  return bin === undefined ? MISSING : [node, bin, ...args];
}

function typed(version, ...args) {
  const needed = version === 'v1' ? ['sdk'] : ['client', 'server', 'node'];
  const missing = needed.find((name) => !existsSync(join(root, 'node_modules/@modelcontextprotocol', name)));
  return missing ? `@modelcontextprotocol/${missing} is not installed` : script('typed-proxy.mjs', version, ...args);
}

/** The server that stands behind the arrangements with `url`. */
export const echoOverHttp = (port) => [...echo, port];

const NO_SUCH = () => 'does not offer this';

/** Each arrangement with its cases: from the port to listen on (where it has an HTTP front) to the command, or to the reason why there is none. */
export function arrangements(scratch, url) {
  const config = join(scratch, 'config.json');
  const [command, ...args] = echo;
  const exec = { command, args, family: 'ssh', shell: 'bash', target: 'app01' };
  writeFileSync(config, JSON.stringify({ mcpServers: { exec } }));
  const bin = join(root, 'dist', 'src', 'main.js');
  const ours = (...rest) => [node, bin, '--config', config, '--log-level', 'error', ...rest];
  return {
    'stdio to stdio': {
      direct: () => echo,
      'byte copy': () => script('byte-copy.mjs', 'stdio', ...echo),
      'typed SDK v1': () => typed('v1', 'stdio', ...echo),
      'typed SDK v2': () => typed('v2', 'stdio', ...echo),
      'mcp-proxy': NO_SUCH,
      supergateway: NO_SUCH,
      'this proxy': () => ours('--as', 'exec', '--', ...echo),
    },
    'HTTP to stdio': {
      direct: echoOverHttp,
      'byte copy': (port) => script('byte-copy.mjs', port, ...echo),
      'typed SDK v1': (port) => typed('v1', port, ...echo),
      'typed SDK v2': (port) => typed('v2', port, ...echo),
      'mcp-proxy': (port) =>
        installed('mcp-proxy', '--host', '127.0.0.1', '--port', port, '--server', 'stream', '--', ...echo),
      supergateway: (port) => {
        const to = ['--outputTransport', 'streamableHttp', '--stateful', '--port', port, '--logLevel', 'none'];
        return installed('supergateway', '--stdio', echo.map((word) => `"${word}"`).join(' '), ...to);
      },
      'this proxy': (port) => ours('serve', '--listen', `127.0.0.1:${port}`, '--server', 'exec', '--no-token'),
    },
    'stdio to HTTP': {
      // What stands behind, without anything in front of it.
      direct: () => ({ running: url }),
      'byte copy': () => script('byte-copy.mjs', 'stdio', url),
      'typed SDK v1': () => typed('v1', 'stdio', url),
      'typed SDK v2': () => typed('v2', 'stdio', url),
      'mcp-proxy': () => (binOf('mcp-proxy') === undefined ? MISSING : script('mcp-proxy-stdio.mjs', url)),
      supergateway: () => installed('supergateway', '--streamableHttp', url, '--logLevel', 'none'),
      'this proxy': () => ours('--as', 'exec', '--url', url),
    },
  };
}
