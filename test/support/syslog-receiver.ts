import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { type Certificate, makeCertificate } from '../../src/simulator/certificate.js';

/** A receiver of syslog over TLS that reads RFC 5425 frames. */
export interface SyslogReceiver {
  readonly port: number;
  readonly certificate: Certificate;
  readonly messages: string[];
  /** Connections so far. */
  readonly connections: () => number;
  /** How further connections are treated: `cut` ends each after so many bytes, whatever came. */
  treat(how: { readonly cutAfter?: number; readonly perReadMs?: number }): void;
  close(): Promise<void>;
}

export async function startSyslogReceiver(
  options: { readonly certificate?: Certificate; readonly port?: number } = {},
): Promise<SyslogReceiver> {
  const certificate = options.certificate ?? (await makeCertificate('syslog'));
  const messages: string[] = [];
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  let treatment: { readonly cutAfter?: number; readonly perReadMs?: number } = {};
  const server = createServer({ key: certificate.key, cert: certificate.certificate }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    void read(socket, messages, treatment);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    certificate,
    messages,
    connections: () => connections,
    treat: (how) => {
      treatment = how;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function read(
  socket: TLSSocket,
  messages: string[],
  { cutAfter, perReadMs }: { readonly cutAfter?: number; readonly perReadMs?: number },
): Promise<void> {
  let rest = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length;
      if (cutAfter !== undefined && bytes >= cutAfter) return void socket.destroy();
      rest = take(Buffer.concat([rest, chunk as Buffer]), messages);
      if (perReadMs !== undefined) await new Promise((resolve) => setTimeout(resolve, perReadMs));
    }
  } catch {
    // A connection that is cut gives up what was not whole.
  }
}

/** Takes whole frames; throws on what is none. */
function take(bytes: Buffer, messages: string[]): Buffer<ArrayBuffer> {
  let at = 0;
  for (;;) {
    const space = bytes.indexOf(32, at);
    if (space < 0) break;
    const count = bytes.toString('latin1', at, space);
    if (!/^[1-9]\d{0,9}$/.test(count)) throw new Error(`no frame: ${count}`);
    const end = space + 1 + Number(count);
    if (bytes.length < end) break;
    messages.push(bytes.toString('utf8', space + 1, end));
    at = end;
  }
  return Buffer.from(bytes.subarray(at));
}
