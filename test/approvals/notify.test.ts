import { expect, test } from 'vitest';
import { createNotify, notifier } from '../../src/approvals/notify.js';

test('a desktop is told by a program of its own, by full path', () => {
  expect(notifier('linux', { DISPLAY: ':0' })?.[0]).toBe('/usr/bin/notify-send');
  expect(notifier('linux', { WAYLAND_DISPLAY: 'wayland-0' })?.[0]).toBe('/usr/bin/notify-send');
  expect(notifier('darwin', {})?.[0]).toBe('/usr/bin/osascript');
  expect(notifier('win32', { SystemRoot: 'D:\\Windows' })?.[0]).toMatch(/^D:\\Windows\\System32\\.*powershell\.exe$/);
});

test('without a desktop nothing is started', () => {
  expect(notifier('linux', {})).toBeUndefined();
  expect(() => createNotify('linux', {}, () => 0)()).not.toThrow();
});
