import type { Effect } from '../../domain/assessment.js';
import type { Examples } from '../specs/types.js';

/** Programs whose words follow a grammar of their own. */
export type CheckName = 'cmd' | 'powershell' | 'pwsh' | 'wmic';

/** A flag whose effect depends on it or on its value. `match`: for these values it has none. `next`: its value is the next word. */
export interface ToolFlagRule {
  readonly effect?: Effect;
  readonly match?: string;
  readonly next?: boolean;
}

/** How many words may stand there that are no flags, and what each of them looks like. */
export interface ToolOperands {
  readonly max?: number;
  readonly min?: number;
  readonly match?: string;
}

/**
 * What is known of a Windows program. Flags begin with `/` or `-`, in any case; one that is not listed makes the call `otherwise`
 * (default `unknown`). In `flags`, `x` stands alone, `x:` may have a value behind a colon or `=`, `x+` takes that or the next word.
 */
export interface ToolSpec {
  readonly effect?: Effect;
  readonly otherwise?: Effect;
  readonly why?: string;
  /** No argument whatever has an effect. */
  readonly style?: 'any';
  readonly flags?: string;
  readonly rules?: Readonly<Record<string, ToolFlagRule>>;
  readonly operands?: ToolOperands;
  /** By their first word, in lower case; one that is a flag is written with `/`. Keys may hold several, separated by blanks. */
  readonly verbs?: Readonly<Record<string, ToolSpec | Effect>>;
  /** The verb may stand behind flags. */
  readonly verbAnywhere?: boolean;
  /** A pattern for words that may stand before the verb. */
  readonly leading?: string;
  /** Of a call without any word. */
  readonly bare?: Effect;
  /** One of these flags must be there. */
  readonly requires?: string;
  readonly caseSensitive?: boolean;
  /** The flag that carries Transact-SQL. */
  readonly sql?: string;
  readonly check?: CheckName;
}

/** Programs of one kind, with examples in the language of cmd. `builtIn`: they are part of cmd itself and no program. */
export interface ToolFamily {
  readonly effect: Effect;
  readonly builtIn?: boolean;
  readonly commands: Readonly<Record<string, ToolSpec>>;
  readonly examples: Examples;
}
