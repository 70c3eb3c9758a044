import type { Effect } from '../../../domain/assessment.js';
import type { Examples } from '../../specs/types.js';

/**
 * A parameter whose effect depends on its value; elsewhere `effect` holds (default `unknown`).
 * `match`: a pattern for every literal. `start`: one for what a text surely starts with.
 * `holds`: a literal block, no code that was not judged, a query that only reads, the name of a variable that nothing else of the text sets, or
 * HTTP headers that do not name another method. `alone`: it takes no value.
 */
export interface ParameterRule {
  readonly effect?: Effect;
  readonly match?: string;
  readonly start?: string;
  readonly holds?: 'block' | 'plain' | 'tsql' | 'wql' | 'variable' | 'headers';
  readonly alone?: boolean;
}

/**
 * What is known of a cmdlet. Each parameter that a call uses must be listed; it may be shortened as PowerShell allows.
 * In `params`, `Name:` takes a value, `Force` takes none, and `LiteralPath|PSPath:` has another name.
 * `positions`: the parameters that values without a name go to, where one of them has a rule; the last takes all that follow.
 */
export interface CmdletSpec {
  readonly effect?: Effect;
  readonly why?: string;
  readonly params?: string;
  readonly rules?: Readonly<Record<string, ParameterRule>>;
  readonly positions?: string;
  /** This parameter must be there. */
  readonly needs?: string;
  /** Behind a pipe one of these must be there, since what comes through the pipe would fill them unseen. */
  readonly needsFed?: string;
  readonly gives?: 'text' | 'object';
}

/** Cmdlets of one kind. Keys of `commands` may hold several names. */
export interface CmdletFamily {
  readonly effect: Effect;
  readonly commands: Readonly<Record<string, CmdletSpec>>;
  readonly examples: Examples;
}
