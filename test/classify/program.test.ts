import { beforeAll, expect, test } from 'vitest';
import { classify, preparePowerShell } from '../../src/classify/index.js';
import { programOf } from '../../src/domain/assessment.js';
import type { Operation } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';

const bash = (source: string): Operation => ({ kind: 'command', language: 'bash', source });

beforeAll(() => preparePowerShell());

test.each<[Operation, string | undefined]>([
  [bash('ls /srv; sudo systemctl restart nginx'), 'systemctl'],
  [bash('/usr/bin/rm -rf /srv/data'), 'rm'],
  [bash('for f in *; do mv $f /tmp; done'), 'mv'],
  [bash('/opt/deploy/run.sh --token s3cret'), undefined],
  [bash('echo s3cret > /etc/app.conf'), undefined],
  [bash('unlisted-tool s3cret'), undefined],
  [{ kind: 'command', language: 'powershell', source: "Get-Date; ri 'C:\\x'" }, 'remove-item'],
  [{ kind: 'command', language: 'cmd', source: 'net stop spooler' }, 'net'],
  [{ kind: 'ansible_module', module: 'file', args: 'path=/x state=absent', check: false }, 'ansible.builtin.file'],
])(`${verifies('G-2')} a tag names the listed program, never the caller's words: %j`, (operation, program) => {
  expect(programOf(classify([operation]))).toBe(program);
});
