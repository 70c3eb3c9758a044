import { type CallRecords, readCalls } from '../audit/calls.js';
import { quote, visible } from '../domain/text.js';
import { denyPaths } from '../native/deny-paths.js';
import { ladderText, word } from '../native/ladder.js';
import { auditDirOf, type Context, settingsOf } from './context.js';
import { readArguments } from './options.js';
import { belongsTo, type First, firstOf, type Step, type StepVm, stepsOf, type Way } from './rewind-plan.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy rewind [--json] CHANGE|SESSION

Prints how to undo what an agent did under a change or in a session: newest first, for each VM and file the exact recover call,
or the larger step. It reads the audit log alone, contacts nobody and writes nothing. A receipt's or a call's id does too.
Exit codes: 0 there is a plan, 1 nothing is known under this id, 2 wrong usage.
`;

/** Its options. */
export const OPTIONS = { json: { type: 'boolean', default: false } } as const;

/** `rewind …`: the plan; a human takes its steps one by one. */
export async function rewindCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const asked = read(args);
  if (typeof asked === 'string') {
    io.stderr.write(`rewind: ${asked}\n${USAGE}`);
    return 2;
  }
  const [dir, { recovery }] = await Promise.all([auditDirOf(context), settingsOf(context)]);
  const calls: CallRecords[] = [];
  const mine = belongsTo(asked.id);
  for await (const call of readCalls(dir)) if (mine(call)) calls.push(call);
  if (calls.length === 0) {
    io.stderr.write(
      `rewind: no call of a change, session, receipt or call ${quote(asked.id)} in ${quote(dir, 1_000)}\n`,
    );
    return 1;
  }
  const steps = stepsOf(calls, denyPaths(recovery), new Date());
  const first = firstOf(steps);
  if (asked.json) io.stdout.write(`${JSON.stringify({ id: asked.id, steps, first }, undefined, 2)}\n`);
  else io.stdout.write(planText(asked.id, calls.length, steps, first, programOf(context)));
  return 0;
}

/** The words that a step's command begins with; a config that was named here is named there. */
function programOf({ options }: Context): string {
  return options.config === undefined ? 'zerto-rewind-proxy' : `zerto-rewind-proxy --config ${word(options.config)}`;
}

function planText(id: string, calls: number, steps: readonly Step[], first: readonly First[], program: string): string {
  const head = `${quote(id)}: ${calls} calls, ${steps.length} of them may have changed something. Newest first; nothing is done by this command.`;
  const parts = steps.map((step, index) => stepText(step, index + 1, program));
  const all = first.map(({ vm, path, receipt }) => `  ${recoverCall(program, receipt, vm, path)}`);
  const whole = ['Each file as it was before all of this (its oldest receipt):', ...all].join('\n');
  return `${[head, ...parts, ...(all.length === 0 ? [] : [whole]), ...(steps.length === 0 ? [] : [THEN])].join('\n\n')}\n`;
}

const THEN =
  'Compare what comes (`sha256sum`, `diff`), then write it back with your own tools; set owner and mode yourself.';

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

function vmText({ name, vpg, minutesLost, ways, rungs }: StepVm, receipt: string, program: string): string {
  const { checkpointIdentifier, timestamp } = vpg.recoverFrom;
  return [
    `   ${quote(name, 100)} in VPG ${quote(vpg.name, 100)}: checkpoint ${visible(checkpointIdentifier)} of ${visible(timestamp)}, without the changes of the last ${minutesLost} min`,
    ...ways.map((way) => wayText(way, name, receipt, program)),
    ...(ways.length === 0 ? [`     it names no absolute path. ${indented(ladderText(rungs))}`] : []),
  ].join('\n');
}

function wayText(way: Way, vm: string, receipt: string, program: string): string {
  if (way.kind === 'recover') return `     ${recoverCall(program, receipt, vm, way.path)}`;
  return `     ${quote(way.path, 1_000)}: ${visible(way.why)}. ${indented(ladderText(way.rungs))}`;
}

function recoverCall(program: string, receipt: string, vm: string, path: string): string {
  return `${program} recover --receipt ${word(receipt)} --vm ${word(vm)} --path ${word(path)} --to ${word(`rewind-${receipt}`)}`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n       ');
}

function read(args: readonly string[]): { readonly id: string; readonly json: boolean } | string {
  const given = readArguments(args, OPTIONS, { words: true });
  if (typeof given === 'string') return given;
  const [id, more] = given.words;
  return id === undefined || more !== undefined
    ? 'one change or session is needed: `audit list` shows them'
    : { id, json: given.values.json };
}
