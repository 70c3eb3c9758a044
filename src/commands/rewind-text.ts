import { counted, quote, visible } from '../domain/text.js';
import { ladderText, word } from '../native/ladder.js';
import type { First, Source, Step, StepVm, Way } from './rewind-plan.js';
import type { Point, Standing } from './rewind-points.js';

/** The plan as a human reads it. `program`: the words that each command begins with. */
export function planText(
  id: string,
  calls: number,
  steps: readonly Step[],
  first: readonly First[],
  program: string,
): string {
  const head = `${quote(id)}: ${counted(calls, 'call')}, ${steps.length} of them may have changed something. Newest first; nothing is done by this command.`;
  const parts = steps.map((step, index) => stepText(step, index + 1, program));
  return `${[head, ...parts, ...firstText(first, steps, program), ...(steps.length === 0 ? [] : [THEN])].join('\n\n')}\n`;
}

const THEN =
  'Compare what comes (`sha256sum`, `diff`), then write it back with your own tools; set owner and mode yourself.';

function firstText(first: readonly First[], steps: readonly Step[], program: string): readonly string[] {
  if (first.length === 0) return [];
  const to = steps.findLast(({ receipt }) => receipt !== undefined)?.receipt?.id ?? 'rewind';
  const lines = first.map(({ vm, path, by, late }) => {
    if (by === undefined) return `  ${quote(path, 1_000)} of ${quote(vm, 100)}: no point of its calls is left`;
    const warning = late ? '  # the points before it are gone: it has the changes of the older calls\n' : '';
    return `${warning}  ${recoverCall(program, by, path, by.kind === 'receipt' ? by.receipt : to)}`;
  });
  return [['Each file as it was before all of this (its oldest receipt):', ...lines].join('\n')];
}

function stepText(step: Step, number: number, program: string): string {
  const { receipt } = step;
  const covers =
    receipt === undefined || receipt.covers === 'vm'
      ? ''
      : `, covers ${receipt.covers}: what it changed elsewhere is in no journal of the VM`;
  const simulated = receipt?.simulated ? ', SIMULATED' : '';
  return [
    `${number}. ${visible(step.at)}  ${quote(step.agent, 100)} called ${quote(step.server, 100)} ${quote(step.tool, 100)}: ${step.outcome}`,
    `   ran ${visible(JSON.stringify(step.ran).slice(0, 2_000))}`,
    receipt === undefined
      ? '   no receipt: nothing was pinned for it'
      : `   receipt ${visible(receipt.id)}, ${receipt.permit}${covers}${simulated}`,
    ...(receipt !== undefined && step.vms.length === 0
      ? ['   no checkpoint belongs to it: it was let through without one']
      : []),
    ...step.vms.map((vm) => vmText(vm, receipt?.id ?? '', program)),
  ].join('\n');
}

function vmText({ name, journal, point, minutesLost, ways, rungs }: StepVm, receipt: string, program: string): string {
  const vm = quote(name, 100);
  if (point === undefined) return [`   ${vm}: ${NONE}`, ...journalText(journal, receipt)].join('\n');
  return [
    `   ${vm} in VPG ${pointText(point)}, without the changes of the last ${minutesLost ?? 0} min`,
    ...journalText(journal, receipt),
    ...ways.map((way) => wayText(way, receipt, program)),
    ...(ways.length === 0 ? [`     it names no absolute path. ${indented(ladderText(rungs))}`] : []),
  ].join('\n');
}

const NONE =
  'no journal has a point from before this call any more. What is left is a copy elsewhere (a backup, long-term retention), or writing anew what it changed';

function pointText({ vpg, checkpoint }: Point): string {
  return `${quote(vpg, 100)}: checkpoint ${visible(checkpoint.checkpointIdentifier)} of ${visible(checkpoint.timestamp)}`;
}

function journalText(journal: Standing, receipt: string): readonly string[] {
  switch (journal.kind) {
    case 'stands':
      return [];
    case 'blocked':
      return [`     the journal has it, and files cannot be taken from it now: ${visible(journal.why)}`];
    case 'unknown':
      return [`     whether the journal still has it is not known: ${visible(journal.why)}`];
    case 'gone':
      return [
        `     ${visible(journal.why)}`,
        ...(journal.next === undefined
          ? []
          : ['     this is the newest point before it that is left; what was written in between is not in it']),
        ...(journal.tag === undefined
          ? []
          : [
              `     the tag itself is there (${pointText(journal.tag)}), and may hold the beginning of this call: recover --receipt ${word(receipt)} --from tag`,
            ]),
      ];
  }
}

function wayText(way: Way, receipt: string, program: string): string {
  if (way.kind === 'recover') return `     ${recoverCall(program, way.by, way.path, receipt)}`;
  return `     ${quote(way.path, 1_000)}: ${visible(way.why)}. ${indented(ladderText(way.rungs))}`;
}

function recoverCall(program: string, by: Source, path: string, to: string): string {
  const point =
    by.kind === 'receipt'
      ? `--receipt ${word(by.receipt)} --vm ${word(by.vm)}`
      : `--vm ${word(by.vm)} --vpg ${word(by.vpg)} --checkpoint ${word(by.checkpoint)}`;
  return `${program} recover ${point} --path ${word(path)} --to ${word(`rewind-${to}`)}`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n       ');
}
