import type { Effect } from '../../domain/assessment.js';

/** How a flag takes its value: never, always, only when attached (`--color=auto`), or two of them (`--arg name value`). */
export type Arity = 'none' | 'value' | 'optional' | 'pair';

/** The languages in which a flag or an operand may carry code of its own. */
export type LanguageName = 'awk' | 'bash' | 'redis' | 'sed' | 'sql' | 'psql' | 'sqlite';

/** Programs whose words follow a grammar of their own. */
export type CheckName = 'ad-hoc' | 'find' | 'shell' | 'test' | 'xargs';

/** `only`: the literal values under which the flag has no effect of its own; else `effect` holds. `match` is the same as a pattern. */
export interface FlagRule {
  readonly arg: Arity;
  readonly effect?: Effect;
  readonly only?: readonly string[];
  readonly match?: string;
}
export type FlagSpec = Arity | FlagRule;

/** `match`: a pattern for each literal operand. `start`: one for what is surely at the start of a word that the shell expands. `literal`: no such words. */
export interface OperandSpec {
  readonly max?: number;
  readonly min?: number;
  readonly match?: string;
  readonly start?: string;
  readonly literal?: boolean;
  /** Each is a name that a script may give a value. */
  readonly names?: boolean;
  /** With one of these flags the bounds do not hold. */
  readonly unless?: string;
}

/** Where code in another language stands: in flags, or where none of them is given in the operand at `operand` (`rest`: all from there, joined). */
export interface CodeSpec {
  readonly language: LanguageName;
  readonly flags?: string;
  readonly operand?: number;
  readonly rest?: boolean;
  /** With one of these flags no code is needed. */
  readonly idle?: string;
}

/** The words after the options and `skip` operands are a command of their own; with `separator` they follow that word, and options may stand anywhere before it. */
export interface WrapperSpec {
  readonly skip?: number;
  readonly separator?: string;
  readonly assignments?: boolean;
  /** With one of these flags the command is only looked up. */
  readonly idle?: string;
  readonly bare?: Effect;
}

/**
 * What is known of a program. Every flag must be listed; one that is not makes the call `otherwise` (default `unknown`).
 * `short` and `long` are written as for getopt(1): `x` takes nothing, `x:` a value, `x::` an optional one.
 * Keys of `flags` and `subcommands` may hold several names, separated by blanks.
 */
export interface CommandSpec {
  readonly effect?: Effect;
  readonly otherwise?: Effect;
  readonly why?: string;
  /** getopt: flags anywhere. posix: flags end at the first operand. words: `-name value` without clusters. any: no argument whatever has an effect. */
  readonly style?: 'getopt' | 'posix' | 'words' | 'any';
  readonly short?: string;
  readonly long?: string;
  readonly flags?: Readonly<Record<string, FlagSpec>>;
  /** The flags are also accepted after the subcommand. */
  readonly everywhere?: boolean;
  readonly subcommands?: Readonly<Record<string, CommandSpec | Effect>>;
  /** One operand that looks like this stands before the subcommand. */
  readonly subcommandAfter?: string;
  /** Of a call that names no subcommand. */
  readonly bare?: Effect;
  /** Subcommands may be shortened, so all real ones are listed; of those that match the highest effect holds. */
  readonly abbreviate?: boolean;
  readonly operands?: OperandSpec;
  /** `any`: no operand or flag of any spelling has an effect, so words that only the shell knows are fine. */
  readonly dynamic?: 'any';
  /** One of these flags must be there. */
  readonly requires?: string;
  /** With one of these flags a mutating call only shows what it would do. */
  readonly simulate?: string;
  /** `-5` and the like are flags. */
  readonly numeric?: boolean;
  /** The first word may be a cluster of flags without a dash. */
  readonly bundled?: boolean;
  /** What it gets on standard input goes to another machine, so that must be empty. */
  readonly sends?: boolean;
  readonly code?: CodeSpec;
  readonly wrapper?: WrapperSpec;
  readonly check?: CheckName;
  readonly elsewhere?: ElsewhereSpec;
}

/**
 * When the program acts on another machine or a control plane, so that no checkpoint of this VM holds what it changes. `always`, or where a
 * host that is not this machine stands in one of `flags` or in the operand at `operand`; `copy`: it writes to its last operand, which may be
 * `host:path`; `except`: words, joined, that act here all the same.
 */
export interface ElsewhereSpec {
  readonly always?: boolean;
  readonly flags?: string;
  readonly operand?: number;
  readonly copy?: boolean;
  readonly except?: string;
}

export interface Examples {
  readonly read_only: readonly string[];
  readonly unknown: readonly string[];
  readonly mutating: readonly string[];
}

/** Programs of one kind. `effect` is that of every listed call whose command says nothing else. Keys of `commands` may hold several names. */
export interface Family {
  readonly effect: Effect;
  readonly commands: Readonly<Record<string, CommandSpec>>;
  readonly examples: Examples;
}
