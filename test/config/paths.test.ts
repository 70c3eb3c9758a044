import { expect, test } from 'vitest';
import { configDir, stateDir } from '../../src/config/paths.js';

test.each([
  ['linux', {}, '/home/u', '/home/u/.config/zerto-rewind-proxy', '/home/u/.local/state/zerto-rewind-proxy'],
  [
    'linux',
    { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' },
    '/home/u',
    '/c/zerto-rewind-proxy',
    '/s/zerto-rewind-proxy',
  ],
  [
    'linux',
    { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' },
    '/home/u',
    '/home/u/.config/zerto-rewind-proxy',
    '/home/u/.local/state/zerto-rewind-proxy',
  ],
  [
    'darwin',
    {},
    '/Users/u',
    '/Users/u/Library/Application Support/zerto-rewind-proxy',
    '/Users/u/Library/Application Support/zerto-rewind-proxy',
  ],
  [
    'darwin',
    { XDG_STATE_HOME: '/s' },
    '/Users/u',
    '/Users/u/Library/Application Support/zerto-rewind-proxy',
    '/s/zerto-rewind-proxy',
  ],
  [
    'win32',
    { APPDATA: 'C:\\Users\\u\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local' },
    'C:\\Users\\u',
    'C:\\Users\\u\\AppData\\Roaming\\zerto-rewind-proxy',
    'C:\\Users\\u\\AppData\\Local\\zerto-rewind-proxy',
  ],
  [
    'win32',
    {},
    'C:\\Users\\u',
    'C:\\Users\\u\\AppData\\Roaming\\zerto-rewind-proxy',
    'C:\\Users\\u\\AppData\\Local\\zerto-rewind-proxy',
  ],
  [
    'win32',
    { XDG_STATE_HOME: 'D:\\s' },
    'C:\\Users\\u',
    'C:\\Users\\u\\AppData\\Roaming\\zerto-rewind-proxy',
    'D:\\s\\zerto-rewind-proxy',
  ],
] as const)('on %s with %j', (platform, env, home, config, state) => {
  expect(configDir({ env, platform, home })).toBe(config);
  expect(stateDir({ env, platform, home })).toBe(state);
});
