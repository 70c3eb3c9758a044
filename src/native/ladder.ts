import { quote, visible } from '../domain/text.js';

/** The point that a recovery starts from, with everything that a human needs to name it to Zerto. */
export interface LadderPoint {
  readonly receipt?: string | undefined;
  readonly vm: string;
  readonly vmIdentifier: string;
  readonly vpg: string;
  readonly checkpointIdentifier: string;
  readonly timestamp: string;
  readonly minutesLost: number;
  /** A path in the VM, where one is meant. */
  readonly path?: string | undefined;
  /** The VM keeps a domain's directory. */
  readonly domain?: boolean | undefined;
}

/** One way back, from the smallest to the largest. `loses` is what is gone after it, `needs` what it takes. */
export interface Rung {
  readonly step: 'file' | 'folder' | 'recover' | 'test_failover' | 'restore_vm';
  readonly how: string;
  readonly loses: string;
  readonly needs: string;
  readonly command?: string | undefined;
  readonly warning?: string | undefined;
}

const DOMAIN =
  'This VM keeps a domain’s directory. Do not bring an old copy of a domain controller back beside others that replicate with it: recover objects from another controller or the recycle bin, or restore authoritatively with Microsoft’s procedure, in a test failover first.';

/**
 * The ways back to a point, `from` one step on. A failover to the recovery site for production is never among them. Only the
 * last step takes anything away from the VM.
 */
export function ladder(point: LadderPoint, from: Rung['step'] = 'file'): readonly Rung[] {
  const steps: readonly Rung[] = [...files(point), testFailover(point), restoreVm(point)];
  return steps.slice(
    Math.max(
      0,
      steps.findIndex(({ step }) => step === from),
    ),
  );
}

function files(point: LadderPoint): readonly Rung[] {
  const { path } = point;
  const nothing = 'nothing: the VM is not touched, what is wanted is written back by hand';
  const command = (what: string): string =>
    ['zerto-rewind-proxy recover', namedBy(point), `--path ${word(what)}`, '--to NEW_FOLDER'].join(' ');
  return [
    {
      step: 'file',
      how: 'zerto_recover_file with receipt and path: the content of one file',
      loses: nothing,
      needs: 'a human’s yes in the client',
    },
    {
      step: 'folder',
      how: 'a human takes the whole folder from the journal into a new folder of their own machine',
      loses: nothing,
      needs: 'a terminal where the proxy’s config is',
      command: command(path === undefined ? 'FOLDER' : parentOf(path)),
    },
    {
      step: 'recover',
      how: 'a human takes a file of any size from the journal',
      loses: nothing,
      needs: 'a terminal where the proxy’s config is',
      command: command(path ?? 'PATH'),
    },
  ];
}

function namedBy({ receipt, vm, vmIdentifier, vpg, checkpointIdentifier }: LadderPoint): string {
  return receipt === undefined
    ? `--vm ${word(vmIdentifier)} --vpg ${word(vpg)} --checkpoint ${word(checkpointIdentifier)}`
    : `--receipt ${receipt} --vm ${word(vm)}`;
}

function testFailover({ vm, vpg, checkpointIdentifier, timestamp }: LadderPoint): Rung {
  return {
    step: 'test_failover',
    how: `a human starts a test failover of VPG ${quote(vpg, 100)} at checkpoint ${visible(checkpointIdentifier)} of ${visible(timestamp)}: a copy of ${quote(vm, 100)} starts in the isolated test network; what is needed is taken out of it (a dump of the database, a folder), then the test is stopped`,
    loses: 'nothing: the VM goes on running',
    needs: 'a login to Zerto with the role for tests, a test network in the VPG, some minutes',
  };
}

function restoreVm({ vm, vmIdentifier, vpg, checkpointIdentifier, timestamp, minutesLost, domain }: LadderPoint): Rung {
  return {
    step: 'restore_vm',
    how: `a human restores ${quote(vm, 100)} (${visible(vmIdentifier)}) of VPG ${quote(vpg, 100)} to checkpoint ${visible(checkpointIdentifier)} of ${visible(timestamp)}`,
    loses: `everything that ${quote(vm, 100)} wrote in the last ${minutesLost} min, and the time of the restore`,
    needs:
      'a login to Zerto with the role for restores, the owner of the VM, a test failover of the same checkpoint before, and for a domain controller Microsoft’s procedure, since an old copy must not replicate with the others',
    ...(domain === true ? { warning: DOMAIN } : {}),
  };
}

/** The rungs as lines for an agent or a human. */
export function ladderText(rungs: readonly Rung[]): string {
  const lines = rungs.map(({ how, loses, needs, command, warning }, index) =>
    [
      `${index + 1}. ${how}. Loses ${loses}. Needs ${needs}.`,
      ...(command === undefined ? [] : [`   ${command}`]),
      ...(warning === undefined ? [] : [`   WARNING: ${warning}`]),
    ].join('\n'),
  );
  return ['Ways that are left, smallest first, each taken by a human:', ...lines].join('\n');
}

function parentOf(path: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return cut <= 0 ? '/' : /^[A-Za-z]:$/.test(path.slice(0, cut)) ? path.slice(0, cut + 1) : path.slice(0, cut);
}

/**
 * One word of a POSIX shell. Nothing hides in a line that is copied: where a character cannot be seen, it stands as the
 * octal numbers of its bytes in `$'…'`, which bash, zsh and ksh read as the same text.
 */
export function word(text: string): string {
  if (/^[A-Za-z0-9._/:@%+=,-]+$/.test(text)) return text;
  if (visible(text).replaceAll('\\\\', '\\') === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${[...text].map(escaped).join('')}'`;
}

function escaped(character: string): string {
  if (character !== '\\' && character !== "'" && visible(character) === character) return character;
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
