import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Blob } from '../content.js';
import type { DownloadFault } from '../faults.js';
import type { FolderNode, Node } from '../tree.js';
import { nodeAt } from './browse.js';
import { type Download, type Exchange, field, type Handler, no, ok, Refusal } from './exchange.js';
import { mountedSession } from './flrs.js';
import { zip } from './zip.js';

/** Answers a link: to the bytes of a single file, to a zip of anything more. */
export const download: Handler = (exchange) => {
  const session = mountedSession(exchange);
  const paths = field(exchange.body, 'pathList');
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === 'string'))
    return no(400, 'The pathList is missing.');
  const fault = exchange.faults.take('download', paths.join('\n'));
  const made = prepare(exchange, session.root, paths, fault);
  const key = `${exchange.site.siteIdentifier}.${randomUUID()}`;
  exchange.downloads.set(key, { ...made, session: session.flrSessionIdentifier });
  if (fault?.kind === 'cut' || fault?.kind === 'short') exchange.troubles.set(key, fault);
  return ok(fault?.kind === 'url' ? fault.url : url(exchange, key));
};

function url({ knobs, base }: Exchange, key: string): string {
  return knobs.downloadUrl === 'absolute' ? `${base}/v1/downloads/${key}` : `v1/downloads/${key}`;
}

/** The bytes behind a link. */
export const fetchDownload: Handler = (exchange) => {
  const key = exchange.params[0]?.toLowerCase() ?? '';
  const found = exchange.downloads.get(key);
  if (found === undefined) return no(404, 'The download does not exist.');
  if (exchange.knobs.downloadOnce) exchange.downloads.delete(key);
  const trouble = exchange.troubles.get(key);
  return trouble === undefined ? { kind: 'file', download: found } : { kind: 'file', download: found, trouble };
};

function prepare(
  { knobs }: Exchange,
  root: FolderNode,
  paths: readonly string[],
  fault: DownloadFault | undefined,
): Omit<Download, 'session'> {
  const nodes = paths.map((path) => ({ path, node: downloadable(root, path, knobs.backslash) }));
  const [only] = nodes;
  if (nodes.length === 1 && only?.node.kind === 'file' && fault?.kind !== 'zip') {
    const name = only.path.split('/').at(-1) ?? 'file';
    const { blob } = only.node;
    return fault?.kind === 'wrong_content'
      ? bytes(name, Buffer.alloc(blob.size, 0x58))
      : { name, size: blob.size, stream: () => blob.stream() };
  }
  return bytes('download.zip', zip(nodes.flatMap(({ path, node }) => files(path.split('/').at(-1) ?? path, node))));
}

function bytes(name: string, content: Buffer): Omit<Download, 'session'> {
  return { name, size: content.length, stream: () => Readable.from(content.length > 0 ? [content] : []) };
}

function downloadable(root: FolderNode, path: string, backslash: Exchange['knobs']['backslash']): Node {
  const node = nodeAt(root, path, backslash);
  if (path === '') throw new Refusal(400, 'The path is missing.');
  if (node.kind === 'link') throw new Refusal(400, 'Cannot restore. Links are not supported.');
  return node;
}

/** Every file at or below a node; links are left out. */
function files(name: string, node: Node): { readonly name: string; readonly blob: Blob }[] {
  if (node.kind === 'file') return [{ name, blob: node.blob }];
  if (node.kind === 'link') return [];
  return [...node.children].flatMap(([child, inner]) => files(`${name}/${child}`, inner));
}
