import type { Finding } from '../../../domain/assessment.js';
import { judgeModule } from '../../ansible/judge-module.js';
import type { Compiled } from '../../specs/compile.js';
import { type Context, deeper, type Ruling, readOnly, stricter, unknown } from '../context.js';
import { judgeOperands } from '../judge-operands.js';
import { type ReadFlags, readFlags } from '../read-flags.js';
import type { Word } from '../word.js';

/** `ansible PATTERN -m MODULE -a ARGS`: the module and what it runs are judged; both are on the hosts of the pattern. */
export function judgeAdHoc(
  spec: Compiled,
  words: readonly Word[],
  start: number,
  subject: string,
  context: Context,
): Ruling {
  const flags = readFlags(spec, words, start, false);
  const around = stricter(flags.worst, judgeOperands(spec, flags.operands) ?? readOnly('runs one module'));
  if (flags.used.some(({ name }) => name === '--list-hosts')) return around;
  const module = lastValue(flags, '-m', '--module-name', 'command');
  const args = lastValue(flags, '-a', '--args', '');
  if (module === undefined || args === undefined) return unknown('which module runs is not known');
  const check = flags.used.some(({ name }) => name === '-C' || name === '--check');
  const findings = judgeModule({ module, args, check, json: true }, (language, source) =>
    language === 'bash' ? judgeInner(source, context) : [{ effect: 'unknown', subject, why: `it is for ${language}` }],
  );
  const pattern = flags.operands[0]?.literal ?? '';
  const away = !/^(?:localhost|127\.0\.0\.1|::1)$/.test(pattern);
  // An inventory decides what the pattern stands for, on the machine that runs ansible.
  const reaches = [{ host: '' }];
  context.findings.push(...findings.map((part): Finding => (away ? { ...part, elsewhere: true, reaches } : part)));
  return around;
}

/** The last one counts; undefined where it is not literal. */
function lastValue(flags: ReadFlags, short: string, long: string, otherwise: string): string | undefined {
  const used = flags.used.filter(({ name }) => name === short || name === long).at(-1);
  return used === undefined ? otherwise : used.value?.literal;
}

function judgeInner(source: string, context: Context): readonly Finding[] {
  const findings: Finding[] = [];
  const inner = deeper(context, source);
  if (inner === undefined) return [{ effect: 'unknown', subject: source, why: 'commands in commands go too deep' }];
  context.engine.script(source, { ...inner, findings, fed: false });
  return findings;
}
