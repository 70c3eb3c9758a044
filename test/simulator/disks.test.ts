import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  ReadStream,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStore } from '../../src/simulator/content.js';
import { directoryDisk } from '../../src/simulator/disk.js';
import { createWorld, defaultWorld, virtualClock, type World } from '../../src/simulator/index.js';
import { EMPTY, find } from '../../src/simulator/tree.js';
import { START } from './harness.js';

let directory: string;
const worlds: World[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'simulator-test-'));
});

afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
  rmSync(directory, { recursive: true, force: true });
});

function worldOn(disk: string | undefined, more = {}) {
  const clock = virtualClock(START);
  const vm = { name: 'app01', ...(disk === undefined ? {} : { disk }) };
  const world = createWorld({
    clock,
    sites: [{ name: 'prod' }],
    vms: [vm],
    vpgs: [{ name: 'app', vms: ['app01'] }],
    ...more,
  });
  worlds.push(world);
  return { world, clock };
}

/** What the newest checkpoint holds at a path. */
function held(world: World, ...path: string[]): string | undefined {
  const image = world.vpg('app').journal.at(-1)?.images.get('app01');
  const node = image && find(image, path);
  return node?.kind === 'file' ? node.blob.read().toString() : node?.kind;
}

describe('a directory as a disk', () => {
  test('each checkpoint holds the files as they were then', async () => {
    writeFileSync(join(directory, 'a'), 'one');
    const { world, clock } = worldOn(directory);
    mkdirSync(join(directory, 'etc'));
    writeFileSync(join(directory, 'etc', 'conf'), 'x');
    await clock.advance(5_000);
    writeFileSync(join(directory, 'a'), 'two');
    rmSync(join(directory, 'etc'), { recursive: true });
    expect([held(world, 'a'), held(world, 'etc', 'conf')]).toEqual(['one', 'x']);
    await clock.advance(5_000);
    expect([held(world, 'a'), held(world, 'etc', 'conf')]).toEqual(['two', undefined]);
  });

  test('a change of the same size within the same moment is seen', () => {
    const store = createStore();
    const disk = directoryDisk(directory, store, () => 0);
    for (let round = 0; round < 200; round += 1) {
      const text = `round ${String(round).padStart(3, '0')}`;
      writeFileSync(join(directory, 'a'), text);
      const node = find(disk.image(), ['a']);
      expect(node?.kind === 'file' && node.blob.read().toString()).toBe(text);
      // Where the file system's times are coarse, a fresh file's mark must not be trusted.
      expect(node?.kind === 'file' && node.mark).toBe('');
    }
    store.close();
  });

  test('what did not change is shared and not read again', async () => {
    mkdirSync(join(directory, 'deep', 'er'), { recursive: true });
    for (let index = 0; index < 200; index += 1)
      writeFileSync(join(directory, 'deep', 'er', `f${index}`), `content ${index}`);
    const { world } = worldOn(directory);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    world.checkpoint('app');
    world.checkpoint('app');
    writeFileSync(join(directory, 'top'), 'new');
    world.checkpoint('app');
    const [before, same, after] = world
      .vpg('app')
      .journal.slice(-3)
      .map((checkpoint) => checkpoint.images.get('app01') ?? EMPTY);
    expect(same).toBe(before);
    expect(after).not.toBe(before);
    expect(find(after ?? EMPTY, ['deep'])).toBe(find(before ?? EMPTY, ['deep']));
    expect(
      world
        .vpg('app')
        .journal.slice(-3)
        .map(({ bytes }) => bytes),
    ).toEqual([0, 0, 3]);
  });

  test('a file with times of long ago whose content changed is read', () => {
    const path = join(directory, 'old');
    writeFileSync(path, 'aaaa');
    utimesSync(path, 1, 1);
    const { world } = worldOn(directory);
    writeFileSync(path, 'bbbb');
    utimesSync(path, 1, 1);
    world.checkpoint('app');
    expect(held(world, 'old')).toBe('bbbb');
  });

  test('large files are kept beside, once, and removed at the end', async () => {
    const content = 'x'.repeat(3 * 1024 * 1024);
    writeFileSync(join(directory, 'big'), content);
    writeFileSync(join(directory, 'copy'), content);
    const store = createStore();
    const big = store.addFile(join(directory, 'big'), content.length);
    expect(store.addFile(join(directory, 'copy'), content.length)).toBe(big);
    writeFileSync(join(directory, 'big'), 'y');
    expect(big.read().toString() === content).toBe(true);
    const stream = big.stream();
    const kept = stream instanceof ReadStream ? String(stream.path) : '';
    stream.destroy();
    await once(stream, 'close');
    expect(readdirSync(dirname(kept))).toHaveLength(1);
    store.close();
    expect(existsSync(dirname(kept))).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('links are links, wherever they lead', () => {
    symlinkSync('/etc/passwd', join(directory, 'link'));
    symlinkSync('..', join(directory, 'up'));
    const { world } = worldOn(directory);
    expect([held(world, 'link'), held(world, 'up')]).toEqual(['link', 'link']);
  });

  test('a directory that is gone is an empty disk', () => {
    const { world } = worldOn(join(directory, 'none'));
    expect(world.vpg('app').journal.at(-1)?.images.get('app01')).toBe(EMPTY);
  });

  test('the guest writes through the world too', () => {
    const { world } = worldOn(directory);
    world.write('app01', '/etc/hosts', 'x');
    expect(world.read('app01', '/etc/hosts')?.toString()).toBe('x');
    world.remove('app01', '/etc/hosts');
    expect(world.read('app01', '/etc/hosts')).toBeUndefined();
    expect(() => world.write('app01', '/../outside', 'x')).toThrow('not a path inside the guest');
  });

  test('a write that the guest did not flush is not in a checkpoint until it is', () => {
    const { world } = worldOn(directory, { writeBackMs: 600_000 });
    writeFileSync(join(directory, 'a'), 'cached');
    world.checkpoint('app');
    expect(held(world, 'a')).toBeUndefined();
    world.sync('app01');
    world.checkpoint('app');
    expect(held(world, 'a')).toBe('cached');
  });
});

describe('a disk in memory', () => {
  test('writes, links and removals; the guest sees its cache, the journal does not', async () => {
    const { world, clock } = worldOn(undefined, { writeBackMs: 30_000 });
    world.write('app01', '/etc/hosts', 'one');
    world.link('app01', '/etc/link', 'hosts');
    await clock.advance(5_000);
    expect([held(world, 'etc', 'hosts'), world.read('app01', '/etc/hosts')?.toString()]).toEqual([undefined, 'one']);
    await clock.advance(25_000);
    expect([held(world, 'etc', 'hosts'), held(world, 'etc', 'link')]).toEqual(['one', 'link']);
    world.remove('app01', '/etc/hosts');
    world.sync('app01');
    world.checkpoint('app');
    expect([held(world, 'etc', 'hosts'), held(world, 'etc')]).toEqual([undefined, 'folder']);
  });
});

describe('the embedded default', () => {
  test('VMs, VPGs and directories as documented', () => {
    const world = defaultWorld({ disks: join(directory, 'disks'), clock: virtualClock(START) });
    worlds.push(world);
    expect(world.vpgs.map((vpg) => [vpg.name, vpg.vms.map(({ name }) => name)])).toEqual([
      ['app', ['app01']],
      ['db-local', ['db01']],
      ['db-dr', ['db01']],
      ['web', ['web01', 'web02']],
      ['windows', ['win01']],
    ]);
    expect(world.vms.map((vm) => [vm.name, vm.addresses[0], vm.windows])).toEqual([
      ['app01', '10.20.0.11', false],
      ['db01', '10.20.0.12', false],
      ['web01', '10.20.0.21', false],
      ['web02', '10.20.0.22', false],
      ['win01', '10.20.0.31', true],
      ['lab01', '10.20.0.41', false],
    ]);
    expect(readdirSync(join(directory, 'disks')).sort()).toEqual(['app01', 'db01', 'lab01', 'web01', 'web02', 'win01']);
    expect(world.sites.map(({ name }) => name)).toEqual(['simulator']);
  });

  test('a disk that is there is left as it is', () => {
    mkdirSync(join(directory, 'app01'));
    worlds.push(defaultWorld({ disks: directory, clock: virtualClock(START) }));
    expect(readdirSync(join(directory, 'app01'))).toEqual([]);
  });
});

test('options that name what is not there are refused with what is', () => {
  const options = { sites: [{ name: 'prod' }], vms: [{ name: 'a' }], vpgs: [{ name: 'g', vms: ['b'] }] };
  expect(() => createWorld({ ...options, clock: virtualClock(0) })).toThrow('no vm "b"; known: a');
});
