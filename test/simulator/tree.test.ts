import { describe, expect, test } from 'vitest';
import { createStore } from '../../src/simulator/content.js';
import { changedBytes, EMPTY, type FolderNode, find, guestPath, place } from '../../src/simulator/tree.js';
import { fc } from '../support/property.js';

describe('trees', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
  const store = createStore();

  const step = fc.tuple(path, fc.option(fc.string(), { nil: undefined }));
  type Model = ReadonlyMap<string, string>;

  function grow(tree: FolderNode, at: string[], text: string | undefined): FolderNode {
    return place(
      tree,
      at,
      text === undefined ? undefined : { kind: 'file', blob: store.add(Buffer.from(text)), modified: 0, mark: '' },
      0,
    );
  }

  /** What stands at the path, below it or in its way is gone; then the text is there. */
  function growModel(model: Model, at: string[], text: string | undefined): Model {
    const key = `${at.join('/')}/`;
    const kept = [...model].filter(([other]) => !`${other}/`.startsWith(key) && !key.startsWith(`${other}/`));
    return new Map(text === undefined ? kept : [...kept, [at.join('/'), text]]);
  }

  function agrees(root: FolderNode, model: Model): void {
    for (const [key, text] of model) {
      const node = find(root, key.split('/'));
      expect(node?.kind === 'file' && node.blob.read().toString()).toBe(text);
    }
    expect(changedBytes(EMPTY, root)).toBe([...model.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    expect(changedBytes(root, root)).toBe(0);
  }

  test('a tree answers like a map of paths, and old trees stay as they were', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const history: (readonly [FolderNode, Model])[] = [[EMPTY, new Map()]];
        for (const [at, text] of steps) {
          const [tree, model] = history.at(-1) ?? [EMPTY, new Map()];
          history.push([grow(tree, at, text), growModel(model, at, text)]);
        }
        for (const [root, model] of history) agrees(root, model);
      }),
    );
  });

  test('no guest path leaves the disk', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.', '', 'a', 'C:', '\\', '/', '\0'), { maxLength: 8 }),
        fc.boolean(),
        (parts, windows) => {
          let segments: string[];
          try {
            segments = guestPath(parts.join('/'), windows);
          } catch {
            return;
          }
          expect(segments.length).toBeGreaterThan(0);
          expect(segments).not.toContain('..');
          expect(segments.join('')).not.toMatch(windows ? /[/\\\0]/ : /[/\0]/);
        },
      ),
    );
    expect(guestPath('C:\\Windows\\win.ini', true)).toEqual(['Windows', 'win.ini']);
    expect(guestPath('/a\\b', false)).toEqual(['a\\b']);
  });
});
