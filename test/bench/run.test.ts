import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

describe.skipIf(!existsSync('dist/src/main.js'))('npm run bench', () => {
  it('measures a case, and says why another is missing', async () => {
    const few = ['--rounds', '1', '--calls', '3', '--warm', '2', '--starts', '1'];
    const only = ['--only', 'stdio to stdio: (mcp-proxy|this proxy)'];
    const { stdout } = await run(process.execPath, ['test/bench/run.mjs', ...few, ...only]);
    const cellsOf = (name: string): string[] =>
      (stdout.split('\n').find((line) => line.includes(`stdio to stdio: ${name}`)) ?? '')
        .split('│')
        .map((cell) => cell.trim());
    expect(cellsOf('mcp-proxy')).toContain("'does not offer this'");
    const measured = cellsOf('this proxy').filter((cell) => /^-?\d+(\.\d+)?$/.test(cell));
    expect(measured.length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 7 : 5);
  });
});
