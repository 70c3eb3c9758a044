import type { Question } from '../domain/ports.js';
import type { RecoveryAbout } from '../domain/recovered.js';
import { quote, visible } from '../domain/text.js';

const RECOVER = 'recover it and give the content to the model';
const PREVIEW = 'read it and give the difference to the model';
const DO_NOT_RECOVER = 'do not recover';

/** Asks whether one file, or the listing of one folder, may be recovered. */
export function recoveryQuestion(about: RecoveryAbout): Question {
  const { checkpoint, minutesLost } = about;
  const tag = checkpoint.tag === undefined ? '' : `, tag ${quote(checkpoint.tag, 140)}`;
  const message = [
    `The agent ${quote(about.agent, 60)} asks for ${about.preview ? 'a preview' : 'the content'} of a file as it was before a change.`,
    `VM: ${quote(about.vm, 60)} in VPG ${quote(about.vpg, 60)}`,
    `Path: ${quote(about.path, 1_000)}`,
    `Checkpoint: ${visible(checkpoint.checkpointIdentifier)} of ${visible(checkpoint.timestamp)}${tag}`,
    `It lacks the changes of the last ${minutesLost} ${minutesLost === 1 ? 'minute' : 'minutes'}.`,
    `${about.preview ? 'Size, hash and the lines that differ from the newest checkpoint go' : 'The content goes'} to the model. Permissions inside the VM do not count here. Nothing is written to the VM.`,
  ].join('\n');
  // The minutes go on while a human reads.
  const what = JSON.stringify([about.vm, about.vpg, about.path, checkpoint.checkpointIdentifier]);
  return { message, choices: [about.preview ? PREVIEW : RECOVER, DO_NOT_RECOVER], about: what };
}

const END_MOUNT = 'end the mount';
const LEAVE_MOUNT = 'leave it';

/** Asks whether a mount that somebody else made may be ended. */
export function endSessionQuestion(about: {
  readonly agent: string;
  readonly session: string;
  readonly vm: string;
  readonly mountTime: string;
  readonly runningTasks: number;
}): Question {
  const message = [
    `The agent ${quote(about.agent, 60)} wants to end a file-recovery mount that this proxy did not make.`,
    `VM: ${quote(about.vm, 60)}, mounted since ${visible(about.mountTime)}, session ${quote(about.session, 140)}`,
    about.runningTasks > 0
      ? `${about.runningTasks} tasks run in it now: somebody is reading from it.`
      : 'Somebody may be reading from it.',
  ].join('\n');
  return { message, choices: [END_MOUNT, LEAVE_MOUNT] };
}
