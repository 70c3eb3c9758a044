import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SshVms } from './sshd.js';

/** How to start one published server against the throw-away VMs. */
export interface Start {
  readonly command: readonly [string, ...string[]];
  /** What it needs on top of the surroundings; its own files stay below `home`. */
  readonly env: Readonly<Record<string, string>>;
}

/** npm `ssh-mcp`: one profile for each VM, named like it; the first is the default. */
export function sshMcp(ssh: SshVms, home: string): Start {
  const dir = join(home, 'ssh-mcp');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'config.toml');
  const profiles = ssh.vms.map(
    ({ name, host, port }) => `
[[profiles]]
name = "${name}"
host = "${host}"
port = ${port}
user = "${ssh.user}"
auth = "key"
keyRef = ${JSON.stringify(ssh.key)}
role = "admin"
group = "dev"
approvalPolicy = "auto"
`,
  );
  const defaults = `[defaults]\ndefaultProfile = "${ssh.vms[0]?.name}"\napprovalMode = "auto"\n`;
  writeFileSync(file, defaults + profiles.join(''), { mode: 0o600 });
  return { command: [process.execPath, programOf('ssh-mcp'), `--config=${file}`], env: homeAt(home) };
}

/** npm `mcp-ssh-manager`: its servers come from the environment. */
export function sshManager(ssh: SshVms, home: string): Start {
  const servers = ssh.vms.flatMap(({ name, host, port }): [string, string][] => {
    const prefix = `SSH_SERVER_${name.toUpperCase()}`;
    return [
      [`${prefix}_HOST`, host],
      [`${prefix}_PORT`, String(port)],
      [`${prefix}_USER`, ssh.user],
      [`${prefix}_KEYPATH`, ssh.key],
    ];
  });
  return {
    command: [process.execPath, programOf('mcp-ssh-manager')],
    env: { ...homeAt(home), SSH_LOG_FILE: join(home, 'manager.log'), ...Object.fromEntries(servers) },
  };
}

/** npm `@marian-craciunescu/ssh-mcp-server-secured`: knows no host; each call brings its own. */
export function sshSecured(_ssh: SshVms, home: string): Start {
  const env = {
    ...homeAt(home),
    SSH_FILTER_MODE: 'disabled',
    SSH_AUDIT_ENABLED: 'false',
    SSH_FAILED_CONNECTIONS_LOG: join(home, 'failed.jsonl'),
  };
  return { command: [process.execPath, programOf('@marian-craciunescu/ssh-mcp-server-secured')], env };
}

const require = createRequire(import.meta.url);
const PACKAGES = {
  'ssh-mcp': require.resolve('ssh-mcp/package.json'),
  'mcp-ssh-manager': require.resolve('mcp-ssh-manager/package.json'),
  '@marian-craciunescu/ssh-mcp-server-secured': require.resolve(
    '@marian-craciunescu/ssh-mcp-server-secured/package.json',
  ),
  '@modelcontextprotocol/inspector': require.resolve('@modelcontextprotocol/inspector/package.json'),
  '@modelcontextprotocol/server-everything': require.resolve('@modelcontextprotocol/server-everything/package.json'),
  '@modelcontextprotocol/server-filesystem': require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  'mcp-remote': require.resolve('mcp-remote/package.json'),
};

/** The file that an installed package names as its program. */
export function programOf(name: keyof typeof PACKAGES): string {
  const file = PACKAGES[name];
  const { bin } = require(file) as { bin: Readonly<Record<string, string>> };
  return join(dirname(file), bin[name] ?? Object.values(bin)[0] ?? '');
}

/** Where `.ci/run` installs published servers that are no dependencies here: what they bring would be a multiple of all others. */
const ELSEWHERE = 'REWIND_PUBLISHED_SERVERS';
const PUBLISHED = {
  '@wonderwhy-er/desktop-commander': '0.2.52',
  '@ansible/ansible-mcp-server': '26.6.0',
};
type PublishedName = keyof typeof PUBLISHED;

/** Why that server cannot be run here, for a test's title; undefined where it can. Throws in CI, which installs it. */
export function whyNoPublished(name: PublishedName): string | undefined {
  const wanted = `npm install --ignore-scripts --prefix DIR ${name}@${PUBLISHED[name]}, and ${ELSEWHERE}=DIR`;
  const file = packageFile(name);
  const found = existsSync(file) ? (require(file) as { version: string }).version : undefined;
  if (found === PUBLISHED[name]) return undefined;
  if (process.env['CI'] !== undefined) throw new Error(`${name} ${found ?? 'none'} is there; it needs ${wanted}`);
  return `needs ${wanted}`;
}

/** The file that such a server's package names as its program. */
export function publishedProgram(name: PublishedName): string {
  const file = packageFile(name);
  const { bin } = require(file) as { bin: string | Readonly<Record<string, string>> };
  return join(dirname(file), typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? ''));
}

function packageFile(name: PublishedName): string {
  return join(process.env[ELSEWHERE] ?? '', 'node_modules', name, 'package.json');
}

function homeAt(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return { HOME: home, USERPROFILE: home, APPDATA: home };
}
