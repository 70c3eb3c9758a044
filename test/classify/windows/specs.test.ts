import { beforeAll, describe, expect, test } from 'vitest';
import { classifyCommand, preparePowerShell } from '../../../src/classify/index.js';
import { CMDLET_FAMILIES } from '../../../src/classify/powershell/cmdlets/index.js';
import type { Examples } from '../../../src/classify/specs/types.js';
import { TOOL_FAMILIES } from '../../../src/classify/windows/index.js';
import { EFFECTS } from '../../../src/domain/assessment.js';
import type { Shell } from '../../../src/domain/call.js';

beforeAll(preparePowerShell);

const rows = (shell: Shell, families: readonly { readonly examples: Examples }[]) =>
  families.flatMap(({ examples }) =>
    EFFECTS.flatMap((effect) => examples[effect].map((command) => ({ shell, effect, command }))),
  );

describe.each([
  ['tools', rows('cmd', TOOL_FAMILIES)],
  ['cmdlets', rows('powershell', CMDLET_FAMILIES)],
] as const)('examples of %s', (_, cases) => {
  test.each(cases)('$shell: $command is $effect', ({ shell, command, effect }) => {
    expect(classifyCommand(shell, command)).toMatchObject({ effect });
  });
});
