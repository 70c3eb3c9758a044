import { ProxyError } from '../../domain/errors.js';
import type { Cancel } from '../../domain/ports.js';
import { quote } from '../../domain/text.js';
import type { Unanswered } from '../downstream-end.js';
import type { RequestMessage } from '../message.js';
import type { Routed, SeveralServers } from '../relay-servers.js';
import { clashText, ownersOf } from './clash.js';
import { type Core, lineOf } from './core.js';
import type { Link, Reply } from './link.js';
import type { Reader } from './reader.js';
import type { TaskOwners } from './tasks.js';

/** Which server each call of a tool goes to: the one under which it was judged, and no other. */
export class CallRoutes implements SeveralServers {
  readonly #core: Core;
  readonly #reader: Reader;
  readonly #tasks: TaskOwners;
  readonly #assigned = new Map<string, Link>();
  #unanswered: ((unanswered: Unanswered) => void) | undefined;

  constructor(core: Core, reader: Reader, tasks: TaskOwners) {
    this.#core = core;
    this.#reader = reader;
    this.#tasks = tasks;
  }

  locate(_tool: string, meta: unknown, cancel: Cancel): Promise<void> | undefined {
    // Every list, not only until the name is found: another server may have it too.
    return this.#reader.read(this.#core.links, 'tools', meta, cancel);
  }

  serverOf(tool: string): Routed {
    const owners = ownersOf(this.#core.links, 'tools', tool);
    const [link, second] = owners;
    if (link === undefined) return { kind: 'none', code: 'INVALID_ARGUMENTS', why: this.#unknown(tool) };
    if (second !== undefined) {
      const why = `${clashText('tool', tool, owners)} The call was not sent.`;
      return { kind: 'none', code: 'INVALID_ARGUMENTS', why };
    }
    if (!link.isReady) {
      return { kind: 'none', code: 'DOWNSTREAM_UNAVAILABLE', why: `${link.why} The call was not sent.` };
    }
    return { kind: 'server', server: link.known };
  }

  describe(tool: string): ReturnType<SeveralServers['describe']> {
    const [link, second] = ownersOf(this.#core.links, 'tools', tool);
    return second === undefined ? link?.books.tools.find(tool) : undefined;
  }

  assign(idKey: string, server: string): void {
    const link = this.#core.links.find(({ name }) => name === server);
    if (link?.isReady !== true) {
      const why = link?.why ?? `There is no MCP server ${quote(server)}.`;
      throw new ProxyError('DOWNSTREAM_UNAVAILABLE', `${why} The command was not sent.`);
    }
    this.#assigned.set(idKey, link);
  }

  /** Who is told of a call that has no answer, and whether it was sent. */
  onUnanswered(take: (unanswered: Unanswered) => void): void {
    this.#unanswered = take;
  }

  /** A call that the relay let through, with the id it has assigned to a server. */
  send(request: RequestMessage): void {
    const link = this.#assigned.get(request.idKey);
    this.#assigned.delete(request.idKey);
    const done = (reply: Reply): void => {
      if (reply.kind === 'gone' && this.#unanswered !== undefined) {
        this.#unanswered({ idKey: request.idKey, ...reply });
        return;
      }
      if (reply.kind === 'response' && link !== undefined) this.#tasks.note(link, reply.response);
      this.#core.out(lineOf(request, reply));
    };
    // Where the way to the servers was full, the server may have gone, or begun anew, since it was chosen: `request` looks again.
    if (link === undefined) done({ kind: 'gone', sent: false, why: 'No MCP server was chosen for this call.' });
    else link.request(request.raw, request.idKey, done);
  }

  #unknown(tool: string): string {
    const away = this.#core.links.filter((link) => !link.isReady).map((link) => quote(link.name));
    const note = away.length === 0 ? '' : ` Not available now: ${away.join(', ')}.`;
    return `No MCP server behind this proxy lists a tool ${quote(tool)}.${note} The call was not sent. Read tools/list again.`;
  }
}
