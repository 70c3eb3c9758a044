import type { Knobs } from '../knobs.js';
import { type FolderNode, find, type Node } from '../tree.js';
import { Refusal } from './exchange.js';
import { Moment } from './render.js';

type Backslash = Knobs['backslash'];

/** The segments of a path inside a mount. Throws a refusal for a leading slash and dot segments, and by the knob for backslashes. */
function mountPath(written: string, backslash: Backslash): string[] {
  if (backslash === 'refused' && written.includes('\\'))
    throw new Refusal(400, 'Backslash (\\) is not supported. Use slash (/) as the separator.');
  const path = backslash === 'separator' ? written.replace(/[\\/]+/g, '/') : written;
  const segments = path.replace(/\/$/, '').split('/');
  if (path === '') return [];
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw new Refusal(400, `The path ${path} is not valid.`);
  return segments;
}

/** The node at a path of the mount. Throws a refusal where there is none; links are not followed. */
export function nodeAt(root: FolderNode, path: string, backslash: Backslash): Node {
  const node = find(root, mountPath(path, backslash));
  if (node === undefined) throw new Refusal(404, `The path ${path} was not found.`);
  return node;
}

/** A path with one page of what is in it, by name; the first page is 1. */
export function browse(
  root: FolderNode,
  path: string,
  page: { readonly number: number; readonly size: number | null },
  backslash: Backslash,
) {
  const node = nodeAt(root, path, backslash);
  const base = mountPath(path, backslash).join('/');
  const children = node.kind === 'folder' ? [...node.children].sort(([a], [b]) => (a < b ? -1 : 1)) : [];
  const start = page.size === null ? 0 : (page.number - 1) * page.size;
  const chosen = page.size === null ? children : children.slice(start, start + page.size);
  return {
    MainPathItem: item(base, node),
    PathItems: chosen.map(([name, child]) => item(base === '' ? name : `${base}/${name}`, child)),
  };
}

function item(path: string, node: Node) {
  const time = new Moment(node.modified);
  const link = node.kind === 'link';
  return {
    Path: path,
    Type: node.kind === 'folder' ? (path.includes('/') ? 'Folder' : 'Partition') : 'File',
    IsBrowsable: node.kind === 'folder',
    SizeInBytes: node.kind === 'file' ? node.blob.size : null,
    CreationTime: time,
    LastAccessTime: time,
    LastWriteTime: time,
    DownloadInformation: {
      IsDownloadable: !link && path !== '',
      AdditionalInformation: link ? 'Cannot restore. Links are not supported.' : null,
    },
  };
}
