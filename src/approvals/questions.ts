import type { Question } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';
import { quote, visible } from '../domain/text.js';

/** The answers to a question about a call; the words are fixed, since answers are recorded by them. */
const RUN = 'run after the checkpoint';
const RUN_UNPINNED = 'run without a checkpoint';
const DO_NOT_RUN = 'do not run';
const ALWAYS_PIN = 'always pin in this session';

/** What a human is shown about a call that policy does not settle. `fragment` is the part that decides it. */
export interface PolicyAbout {
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  readonly fragment: string;
  /** Why it is asked, in policy's words. */
  readonly why: string;
  /** Empty where no VM is known to be protected: then no checkpoint can be taken. */
  readonly vms: readonly { readonly name: string; readonly vpgs: readonly string[] }[];
}

const MOST_VMS = 20;

/** Asks whether a call may run. With VMs the checkpoint is under way while the human reads. */
export function policyQuestion(about: PolicyAbout): Question {
  const head = [
    `The agent ${quote(about.agent, 60)} wants to call ${quote(about.tool, 100)} of server ${quote(about.server, 60)}.`,
    `Command: ${quote(about.fragment, 600)}`,
    `Asked because: ${visible(about.why)}`,
  ];
  if (about.vms.length === 0) {
    return {
      message: [...head, 'No checkpoint can be taken before it: what it changes cannot be rewound.'].join('\n'),
      choices: [RUN_UNPINNED, DO_NOT_RUN],
    };
  }
  return {
    message: [...head, ...vmLines(about.vms), 'The checkpoint is already under way.'].join('\n'),
    choices: [RUN, DO_NOT_RUN, ALWAYS_PIN],
  };
}

function vmLines(vms: PolicyAbout['vms']): string[] {
  const lines = vms
    .slice(0, MOST_VMS)
    .map((vm) => `VM ${quote(vm.name, 60)} in ${vm.vpgs.map((vpg) => `VPG ${quote(vpg, 60)}`).join(', ')}`);
  return vms.length > MOST_VMS ? [...lines, `and ${vms.length - MOST_VMS} more VMs (${vms.length} in all)`] : lines;
}

const RECOVER = 'recover it and give the content to the model';
const DO_NOT_RECOVER = 'do not recover';

/** What a human is shown before content leaves the journal. */
export interface RecoveryAbout {
  readonly agent: string;
  readonly vm: string;
  readonly vpg: string;
  readonly path: string;
  readonly checkpoint: Checkpoint;
  /** Whole minutes of changes after the checkpoint, which the content does not have. */
  readonly minutesLost: number;
}

/** Asks whether one file, or the listing of one folder, may be recovered. */
export function recoveryQuestion(about: RecoveryAbout): Question {
  const { checkpoint, minutesLost } = about;
  const tag = checkpoint.tag === undefined ? '' : `, tag ${quote(checkpoint.tag, 140)}`;
  const message = [
    `The agent ${quote(about.agent, 60)} asks for the content of a file as it was before a change.`,
    `VM: ${quote(about.vm, 60)} in VPG ${quote(about.vpg, 60)}`,
    `Path: ${quote(about.path, 1_000)}`,
    `Checkpoint: ${visible(checkpoint.checkpointIdentifier)} of ${visible(checkpoint.timestamp)}${tag}`,
    `It lacks the changes of the last ${minutesLost} ${minutesLost === 1 ? 'minute' : 'minutes'}.`,
    'The content goes to the model. Permissions inside the VM do not count here. Nothing is written to the VM.',
  ].join('\n');
  return { message, choices: [RECOVER, DO_NOT_RECOVER] };
}

const END_MOUNT = 'end the mount';
const LEAVE_MOUNT = 'leave it';

/** Asks whether a mount that somebody else made may be ended. */
export function endSessionQuestion(about: {
  readonly agent: string;
  readonly session: string;
  readonly vm: string;
  readonly mountTime: string;
}): Question {
  const message = [
    `The agent ${quote(about.agent, 60)} wants to end a file-recovery mount that this proxy did not make.`,
    `VM: ${quote(about.vm, 60)}, mounted since ${visible(about.mountTime)}, session ${quote(about.session, 140)}`,
    'Somebody may be reading from it.',
  ].join('\n');
  return { message, choices: [END_MOUNT, LEAVE_MOUNT] };
}
