import type { Context } from './context.js';
import { refuse } from './report.js';
import { type Syntax, textOf } from './syntax.js';
import { otherValue, textValue, type Value } from './value.js';

const PLAIN = /^\$(?:(?:global|local|script|private|using):)?[A-Za-z_][A-Za-z0-9_]*$/i;
const ENVIRONMENT = /^\$(?:env:\w+|\{env:[\w()]+\})$/i;
const AUTOMATIC = /^\$[$^?_]$/;
const BRACED = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** Reading a variable or an environment variable. A name with another colon in it may read a file or run a provider. */
export function judgeVariable(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  if (ENVIRONMENT.test(text))
    return textValue(text, /^\$\{?env:(?:windir|systemroot)\}?$/i.test(text) ? 'C:\\Windows' : '');
  if (AUTOMATIC.test(text)) return otherValue(text);
  if (/^@[A-Za-z_]\w*$/.test(text)) return spread(node, text, context);
  if (!PLAIN.test(text) && !BRACED.test(text)) {
    refuse(node, 'a variable of another drive, or values that are spread over parameters', context);
    return otherValue(text);
  }
  const name = text.replace(/^\$\{?/, '').replace(/\}$/, '');
  if (/^(?:true|false|null|pid|home|pwd|lastexitcode)$/i.test(name)) return { ...textValue(text), kind: 'data' };
  const known = context.variables.at(name, node.start, (value) =>
    context.judge.pipeline(value, { ...context, findings: [] }),
  );
  return known === undefined ? otherValue(text) : { ...known, text };
}

/** `@name`: the entries of a hash table as parameters, where the text itself wrote them. */
function spread(node: Syntax, text: string, context: Context): Value {
  const known = context.variables.at(text.slice(1), node.start, (value) =>
    context.judge.pipeline(value, { ...context, findings: [] }),
  );
  if (known?.entries === undefined) refuse(node, `${text} holds parameters that are not known before it runs`, context);
  return { ...otherValue(text), entries: known?.entries };
}
