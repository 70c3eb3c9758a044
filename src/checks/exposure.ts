import type { Surroundings } from '../config/paths.js';
import { quote, visible } from '../domain/text.js';
import type { DownstreamStart } from '../downstream.js';
import { about, type Check } from './check.js';
import { GATEWAY } from './config-file.js';
import { findOnPath } from './on-path.js';
import { isWritable, writersOf } from './owners.js';

export interface ExposureOptions {
  readonly surroundings: Surroundings;
  /** The program's own main file, and the Node that runs it. */
  readonly program: string;
  readonly node: string;
  readonly starts: readonly DownstreamStart[];
}

/** What runs in the proxy's place if somebody changes it: the program, Node, the wrapped servers' programs, and PATH before them. */
export function exposureChecks({ surroundings, program, node, starts }: ExposureOptions): readonly Check[] {
  const { platform } = surroundings;
  const commands = starts.flatMap((start) => (start.kind === 'command' ? [start] : []));
  return [
    ...rootCheck(platform),
    fileCheck('exposure.program', 'the program', program, platform),
    fileCheck('exposure.node', 'Node', node, platform),
    ...commands.map((start) => commandCheck(start, surroundings)),
  ];
}

function rootCheck(platform: NodeJS.Platform): readonly Check[] {
  if (platform === 'win32' || process.geteuid?.() !== 0) return [];
  const detail = 'this is root: a wrapped server under it can change everything, the proxy included';
  return [about('exposure.root').warn(detail, 'Run the proxy and its servers under an account of their own.')];
}

function fileCheck(id: string, what: string, file: string, platform: NodeJS.Platform, subject?: string): Check {
  const check = about(id, subject);
  const writers = writersOf(file, platform);
  const named = `${what} ${quote(file)}`;
  switch (writers.kind) {
    case 'nobody':
      return check.pass(`only root can change ${named}`);
    case 'user':
      return check.warn(
        `this user can change ${named}, and so can an agent under this account`,
        `Install it as root. ${GATEWAY}`,
      );
    case 'others':
      return check.fail(
        `other users can change ${named}: ${visible(writers.how)}`,
        'Take the write permission from them, or install it elsewhere.',
      );
    case 'unknown':
      return check.skip(`${named}: ${visible(writers.why)}`);
  }
}

function commandCheck(start: DownstreamStart & { kind: 'command' }, surroundings: Surroundings): Check {
  const { server, command, env } = start;
  const { platform } = surroundings;
  const { file, before } = findOnPath(command, { env, platform });
  const check = about('exposure.command', server.name);
  if (file === undefined) return check.skip(`${quote(command)} is not on PATH`);
  const planted = platform === 'win32' ? undefined : before.find((dir) => process.geteuid?.() !== 0 && isWritable(dir));
  if (planted !== undefined) {
    return check.warn(
      `${quote(command)} is ${quote(file)}, and this user can put another one into ${quote(planted)}, which PATH names first`,
      'Give the full path of the program in the config.',
    );
  }
  return fileCheck('exposure.command', 'its program', file, platform, server.name);
}
