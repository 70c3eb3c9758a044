import type { WindowsContext } from '../windows/context.js';
import type { Syntax } from './syntax.js';
import type { Value } from './value.js';
import type { Variables } from './variables.js';

/** One pass over one PowerShell text. */
export interface Context extends WindowsContext {
  readonly source: string;
  readonly variables: Variables;
  readonly judge: Judge;
}

/** The rules, which need each other: values of expressions, statements, and calls. */
export interface Judge {
  expression(node: Syntax, context: Context): Value;
  pipeline(node: Syntax, context: Context): Value;
  statements(node: Syntax, context: Context): Value;
  command(node: Syntax, context: Context): Value;
}
