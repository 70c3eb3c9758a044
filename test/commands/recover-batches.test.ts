import { describe, expect, it } from 'vitest';
import { inBatches, NotGiven, patient } from '../../src/commands/recover-batches.js';
import type { TreeFile } from '../../src/commands/recover-tree.js';
import { ProxyError } from '../../src/domain/errors.js';

function file(path: string, size = 1): TreeFile {
  const item = { path, type: 'File', browsable: false, downloadable: true, sizeInBytes: size };
  return { kind: 'file', item, guest: `/${path}`, names: path.split('/'), size };
}

/** What was asked of the appliance, in order: one path, or several together. */
function asking(works: (paths: readonly string[]) => boolean = () => true) {
  const asked: (string | readonly string[])[] = [];
  return {
    asked,
    view: {
      bytes: async function* ({ path }: { readonly path: string }) {
        asked.push(path);
        yield Buffer.from(`one ${path}`);
      },
      together: async (files: readonly { readonly path: string }[]) => {
        const paths = files.map(({ path }) => path);
        asked.push(paths);
        return works(paths) ? new Map(paths.map((path) => [path, Buffer.from(`many ${path}`)])) : undefined;
      },
    },
  };
}

async function all(read: (file: TreeFile) => AsyncIterable<Uint8Array>, files: readonly TreeFile[]): Promise<string[]> {
  const texts: string[] = [];
  for (const each of files) for await (const part of read(each)) texts.push(Buffer.from(part).toString());
  return texts;
}

describe('in batches', () => {
  it('small files of one folder come together, large ones and odd names alone', async () => {
    const files = [
      file('v/a/1'),
      file('v/a/2'),
      file('v/a/big', 2 << 20),
      file('v/a/line\nbreak'),
      file('v/a/3'),
      file('v/b/1'),
      file('v/b/2'),
      file('v/c/1'),
    ];
    const { asked, view } = asking();
    expect(await all(inBatches(view, files), files)).toHaveLength(files.length);
    expect(asked).toEqual([['v/a/1', 'v/a/2', 'v/a/3'], 'v/a/big', 'v/a/line\nbreak', ['v/b/1', 'v/b/2'], 'v/c/1']);
  });

  it('one batch is 200 files and 4 MiB at most', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => file(`v/${String(index).padStart(4, '0')}`));
    const many = asking();
    await all(inBatches(many.view, files), files);
    expect(many.asked).toHaveLength(5);
    const large = Array.from({ length: 9 }, (_, index) => file(`v/${index}`, 1 << 20));
    const few = asking();
    await all(inBatches(few.view, large), large);
    expect(few.asked.map((each) => each.length)).toEqual([4, 4, 3]);
  });

  it('what does not come together comes one by one, and soon nothing is asked together any more', async () => {
    const files = ['a', 'b', 'c', 'd'].flatMap((folder) => [file(`v/${folder}/1`), file(`v/${folder}/2`)]);
    const { asked, view } = asking(() => false);
    expect(await all(inBatches(view, files), files)).toEqual(files.map(({ item }) => `one ${item.path}`));
    expect(asked.filter((each) => typeof each !== 'string')).toHaveLength(2);
  });

  it('a file that was not announced is read by itself', async () => {
    const { asked, view } = asking();
    expect(await all(inBatches(view, []), [file('v/x')])).toEqual(['one v/x']);
    expect(asked).toEqual(['v/x']);
  });
});

describe('patience', () => {
  const failing = (error: unknown) =>
    async function* (): AsyncGenerator<Uint8Array> {
      yield* [];
      throw error;
    };

  it('goes on after single files that are refused, and ends where all are', async () => {
    const refused = new ProxyError('ZVM_REJECTED', 'no');
    const read = patient(failing(refused));
    for (let count = 1; count < 5; count += 1) await expect(all(read, [file('v/x')])).rejects.toThrow(NotGiven);
    await expect(all(read, [file('v/x')])).rejects.toBe(refused);
  });

  it('has none with an appliance that does not answer', async () => {
    const silent = new ProxyError('ZVM_UNREACHABLE', 'no answer');
    await expect(all(patient(failing(silent)), [file('v/x')])).rejects.toBe(silent);
  });
});
