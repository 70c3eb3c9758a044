import type { Context, Engine } from '../posix/context.js';
import { type Ruling, unknown } from '../posix/context.js';
import { judgeCall } from '../posix/judge-call.js';
import { judgeParsed, judgeScript } from '../posix/judge-script.js';
import { literalWord, type Word } from '../posix/word.js';
import { findProgram } from '../specs/index.js';
import { report, type WindowsContext } from './context.js';
import { findTool } from './index.js';
import { judgeTool } from './judge-tool.js';

const SYSTEM_DIRECTORY =
  /^c:\\windows\\(?:(?:system32|syswow64|sysnative)\\(?:(?:inetsrv|wbem|windowspowershell\\v1\.0)\\)?)?([^\\/]+)$/;
const PWSH = /^c:\\program files\\powershell\\7\\(pwsh)(?:\.exe)?$/;

/** Programs that are the same on every system: what is known of them for Linux holds. */
const PORTABLE = new Set(
  `aws az consul docker docker-compose dotnet gcloud git go helm java javac kubectl minikube mysql mysqladmin node nomad npm nvidia-smi pip pg_isready
   podman psql python redis-cli rabbitmqctl terraform vault curl`.split(/\s+/),
);

const ENGINE: Engine = { script: judgeScript, nested: judgeParsed, call: judgeCall };

/** Judges a call of a program on Windows, its name first as it was written. */
export function judgeProgram(words: readonly Word[], subject: string, context: WindowsContext, inCmd: boolean): void {
  const [program, ...rest] = words;
  const name = program?.literal === undefined ? undefined : programName(program.literal);
  if (name === undefined) {
    report(context, subject, refusedName(program?.literal));
    return;
  }
  // `dir.exe` is no part of cmd.
  const bare = program?.literal?.toLowerCase() === name;
  const tool = findTool(name, inCmd && bare);
  if (tool !== undefined) {
    const readsCommands = context.fed && tool.name === 'netsh' && rest.length === 0;
    report(
      context,
      subject,
      readsCommands ? unknown('netsh: takes commands from its input') : judgeTool(tool, rest, context),
      tool.name,
    );
    return;
  }
  // What the operator says of a program holds on every system.
  const own = context.find(name) !== findProgram(name);
  if (PORTABLE.has(name) || own) judgePortable(name, rest, subject, context);
  else report(context, subject, unknown(`${name} is not a program that is listed`));
}

function refusedName(literal: string | undefined): Ruling {
  return unknown(
    literal === undefined
      ? 'the name of the program is not known before it runs'
      : `${literal} is not in a system directory`,
  );
}

/** The lower-case name of a program by its name alone or by its path in a system directory; undefined for any other path. */
export function programName(written: string): string | undefined {
  const lower = written.toLowerCase();
  const name = /[\\/:]/.test(lower) ? (SYSTEM_DIRECTORY.exec(lower)?.[1] ?? PWSH.exec(lower)?.[1]) : lower;
  return name?.replace(/\.(?:exe|com)$/, '');
}

function judgePortable(name: string, rest: readonly Word[], subject: string, context: WindowsContext): void {
  const posix: Context = {
    engine: ENGINE,
    find: findProgram,
    findings: context.findings,
    source: subject,
    depth: context.depth,
    fed: context.fed,
    plain: new Map(),
    shell: { unsure: false },
  };
  judgeCall([literalWord(name), ...rest.map(device)], subject, posix);
}

/** The null device has another name here, and `/dev/null` is a file. */
function device(word: Word): Word {
  if (word.literal?.toLowerCase() === 'nul') return literalWord('/dev/null');
  return word.literal === '/dev/null' ? literalWord('\\dev\\null') : word;
}
