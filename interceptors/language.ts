import type { Family, Operation, Server, Shell, ToolDescription } from '../src/domain/call.js';
import { isSelector } from './names.js';
import { doubt, type Slot } from './roles.js';
import { names, words } from './words.js';

/** The language of a call's commands, and the doubts where two sources disagree. */
export interface Language {
  readonly shell: Shell;
  readonly doubts: readonly Operation[];
}

const OF_FAMILY: Partial<Record<Family, Shell>> = {
  ssh: 'bash',
  shell: 'bash',
  ansible: 'bash',
  winrm: 'powershell',
  powershell: 'powershell',
  // What runs a command over SMB hands it to cmd.exe.
  smb: 'cmd',
};
const OF_NAME: ReadonlyMap<string, Shell> = new Map([
  ...[
    'bash',
    'sh',
    'dash',
    'ash',
    'ksh',
    'zsh',
    'gitbash',
    'git-bash',
    '/bin/sh',
    '/bin/bash',
    '/usr/bin/bash',
    'shell',
  ].map((name): [string, Shell] => [name, 'bash']),
  ...['powershell', 'pwsh', 'ps', 'ps1', 'powershell.exe', 'pwsh.exe'].map((name): [string, Shell] => [
    name,
    'powershell',
  ]),
  ...['cmd', 'cmd.exe', 'batch', 'bat'].map((name): [string, Shell] => [name, 'cmd']),
]);

const FOREIGN = names('python python3 nodejs javascript typescript ruby perl php sql lua applescript osascript');

/**
 * An argument of the call that chooses a shell speaks first, but may not contradict the operator; then the operator's `shell`, the tool's own
 * name where it says PowerShell or cmd, the family, and what the tool says of itself; bash where nothing speaks.
 */
export function languageOf(
  server: Server,
  tool: string,
  description: ToolDescription | undefined,
  slots: readonly Slot[],
): Language {
  const chosen = slots.filter((slot) => isSelector(slot.name) && slot.value !== null && slot.value !== '');
  const shells = chosen.map((slot) =>
    typeof slot.value === 'string' ? OF_NAME.get(slot.value.toLowerCase()) : undefined,
  );
  const fallback = withoutChoice(server, tool, description, chosen.length > 0);
  if (chosen.length === 0) return fallback;
  const [first] = shells;
  const subject = chosen[0]?.name ?? 'shell';
  if (first === undefined || shells.some((shell) => shell !== first)) {
    return { shell: first ?? fallback.shell, doubts: [doubt(subject, 'the language of the command is not known')] };
  }
  if (server.shell !== undefined && server.shell !== first) {
    return {
      shell: first,
      doubts: [doubt(subject, 'the call chooses another language than the one known for this server')],
    };
  }
  return { shell: first, doubts: [] };
}

function withoutChoice(
  server: Server,
  tool: string,
  description: ToolDescription | undefined,
  chosen: boolean,
): Language {
  if (words(tool).some((word) => FOREIGN.has(word))) {
    return { shell: server.shell ?? 'bash', doubts: [doubt(tool, 'it runs a language that is not read')] };
  }
  if (server.shell !== undefined) return { shell: server.shell, doubts: [] };
  const family = server.family === undefined ? undefined : OF_FAMILY[server.family];
  const named = shellNamed(words(tool), family);
  if (named !== undefined) {
    const clash = family === 'bash' && named !== 'bash';
    return { shell: named, doubts: clash ? [doubt(tool, 'the language of the command is not clear')] : [] };
  }
  if (family !== undefined) return { shell: family, doubts: [] };
  return ofSchema(tool, description, chosen);
}

function shellNamed(parts: readonly string[], family: Shell | undefined): Shell | undefined {
  if (parts.includes('powershell') || parts.includes('pwsh') || (parts.includes('power') && parts.includes('shell')))
    return 'powershell';
  // Elsewhere `cmd` in a tool's name is short for `command`.
  return parts.includes('cmd') && family === 'powershell' ? 'cmd' : undefined;
}

function ofSchema(tool: string, description: ToolDescription | undefined, chosen: boolean): Language {
  const text = schemaText(description).toLowerCase();
  const powershell = /powershell|pwsh/.test(text);
  const cmd = /cmd\.exe|"cmd"(?!:)|batch file/.test(text);
  const unclear = (powershell && cmd) || (text.includes('bash') && (powershell || cmd));
  const doubts = unclear && !chosen ? [doubt(tool, 'the language of the command is not clear')] : [];
  if (powershell && !unclear) return { shell: 'powershell', doubts };
  return { shell: cmd && !unclear ? 'cmd' : 'bash', doubts };
}

function schemaText(description: ToolDescription | undefined): string {
  try {
    return JSON.stringify(description?.inputSchema ?? null) ?? '';
  } catch {
    return '';
  }
}
