import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { surroundingsUnder } from '../../src/commands/context.js';

test('where a system config is there, places follow the account and no variable', () => {
  const dir = mkdtempSync(join(tmpdir(), 'context-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const place = { path: join(dir, 'config.json'), owner: 0, platform: process.platform };
  const own = { env: { HOME: dir }, platform: process.platform, home: dir };
  expect(surroundingsUnder(place, own)).toEqual({ ...own, system: place });
  writeFileSync(place.path, 'whatever');
  expect(surroundingsUnder(place, own)).toEqual({ ...own, system: place, isFixed: true, home: userInfo().homedir });
});
