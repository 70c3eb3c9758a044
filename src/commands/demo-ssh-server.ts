import { spawn } from 'node:child_process';
import type { AuthContext, Connection, ServerChannel } from 'ssh2';

/** An SSH server whose commands really run, in the directory that stands for the VM's disk. */
export interface DemoSshServer {
  readonly port: number;
  /** OpenSSH private key (text) that logs in; the server takes no other. */
  readonly privateKey: string;
  close(): Promise<void>;
}

/** Listens on a loopback port. `ssh2` comes with a clone of the project, not with the installed package: rejects without it. */
export async function startDemoSshServer(disk: string): Promise<DemoSshServer> {
  const { default: ssh2 } = await import('ssh2');
  const host = ssh2.utils.generateKeyPairSync('ed25519');
  const client = ssh2.utils.generateKeyPairSync('ed25519');
  const known = ssh2.utils.parseKey(client.public);
  if (known instanceof Error) throw known;
  const allowed = known.getPublicSSH();
  const connections = new Set<Connection>();

  const server = new ssh2.Server({ hostKeys: [host.private] }, (connection) => {
    connections.add(connection);
    connection
      .on('authentication', (context: AuthContext) => {
        const ours = context.method === 'publickey' && context.key.data.equals(allowed);
        const signed =
          ours && (context.signature === undefined || known.verify(context.blob ?? '', context.signature) === true);
        if (signed) context.accept();
        else context.reject(['publickey']);
      })
      .on('session', (accept) => {
        accept().on('exec', (acceptExec, _reject, { command }) => run(command, disk, acceptExec()));
      })
      .on('error', () => connection.end())
      .on('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    privateKey: client.private,
    close: () =>
      new Promise((resolve) => {
        for (const connection of connections) connection.end();
        server.close(() => resolve());
      }),
  };
}

function run(command: string, disk: string, channel: ServerChannel): void {
  const shell = spawn('/bin/sh', ['-c', command], { cwd: disk, env: { PATH: process.env['PATH'] ?? '' } });
  shell.stdout.pipe(channel, { end: false });
  shell.stderr.pipe(channel.stderr, { end: false });
  channel.pipe(shell.stdin);
  shell.stdin.on('error', () => undefined);
  shell.on('error', () => finish(channel, 127));
  shell.on('close', (code) => finish(channel, code ?? 255));
}

function finish(channel: ServerChannel, code: number): void {
  channel.exit(code);
  channel.end();
}
