import { readFile } from 'node:fs/promises';
import { quote } from '../domain/text.js';
import { type Commands, complete } from './complete.js';
import type { Context } from './context.js';
import { didYouMean, readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy completion bash|zsh|fish|powershell

Prints a script by which the shell completes the commands of this program, their options and values:

  bash        zerto-rewind-proxy completion bash > ~/.local/share/bash-completion/completions/zerto-rewind-proxy
  zsh         zerto-rewind-proxy completion zsh > "\${fpath[1]}/_zerto-rewind-proxy"
  fish        zerto-rewind-proxy completion fish > ~/.config/fish/completions/zerto-rewind-proxy.fish
  powershell  zerto-rewind-proxy completion powershell >> $PROFILE

The script asks the program itself what may follow (completion at -- WORD…: a line that says of which kind it is, then a line for each
word), so it stays right when the program is updated. It reads no config and contacts nobody.
`;

/** The words and options of it. */
export const WORDS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export const OPTIONS = {} as const;

/** The scripts of the package, by the names under which a shell looks for them. Each asks with `completion at -- WORD…`; the last word is what is typed. */
const FILES: Readonly<Record<(typeof WORDS)[number], string>> = {
  bash: 'zerto-rewind-proxy.bash',
  zsh: '_zerto-rewind-proxy',
  fish: 'zerto-rewind-proxy.fish',
  powershell: 'zerto-rewind-proxy.ps1',
};

/** `completion SHELL`: the script. `completion at -- WORD…`: what the last of the words may be. Exit code 0, or 2 for a wrong call. */
export async function completionCommand(
  args: readonly string[],
  { io }: Pick<Context, 'io'>,
  commands: Commands,
): Promise<number> {
  if (args[0] === 'at' && args[1] === '--') {
    const { kind, words } = await complete(args.slice(2), commands);
    io.stdout.write([kind, ...words, ''].join('\n'));
    return 0;
  }
  const wanted = fileOf(args);
  if (wanted.problem !== undefined) {
    io.stderr.write(`completion: ${wanted.problem}\n${USAGE}`);
    return 2;
  }
  io.stdout.write(await readFile(new URL(`../../../completions/${wanted.file}`, import.meta.url), 'utf8'));
  return 0;
}

type Wanted =
  | { readonly file: string; readonly problem?: undefined }
  | { readonly problem: string; readonly file?: undefined };

function fileOf(args: readonly string[]): Wanted {
  const given = readArguments(args, OPTIONS, { words: true });
  if (typeof given === 'string') return { problem: given };
  const [name, more] = given.words;
  const known = WORDS.find((each) => each === name);
  if (known !== undefined && more === undefined) return { file: FILES[known] };
  const one = `one of ${WORDS.join(', ')} is needed`;
  if (name === undefined || more !== undefined) return { problem: one };
  return { problem: `${one}, not ${quote(name, 40)}${didYouMean(name, WORDS)}` };
}
