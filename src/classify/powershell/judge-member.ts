import type { Context } from './context.js';
import { refuse } from './report.js';
import { readString } from './strings.js';
import { inner, type Syntax, textOf } from './syntax.js';
import { constructs, staticMember, typeName } from './types.js';
import { dataValue, type Kind, otherValue, ownValue, textValue, type Value } from './value.js';

const words = (list: string): ReadonlySet<string> => new Set(list.toLowerCase().split(/\s+/));

/** Methods that only compute or look, on every type that has one of this name. */
const METHODS = words(
  `AddDays AddHours AddMinutes AddSeconds AddMonths AddYears AddMilliseconds AddTicks Subtract ToUniversalTime ToLocalTime ToFileTime
   ToFileTimeUtc ToOADate ToUnixTimeSeconds ToUnixTimeMilliseconds IsDaylightSavingTime Split StartsWith EndsWith Contains ContainsKey
   ContainsValue IndexOf IndexOfAny LastIndexOf Equals CompareTo GetType GetHashCode ToCharArray GetEnumerator GetLength GetUpperBound
   GetLowerBound GetValue GetValueNames GetSubKeyNames GetValueKind GetBytes GetOwner GetOwnerSid IsInRole IsMatch Match Matches
   GetAccessRules GetActiveTcpConnections GetActiveTcpListeners GetActiveUdpListeners GetIPGlobalProperties GetTcpIPv4Statistics
   GetIPProperties GetIPv4Properties GetIPStatistics GetIPv4Statistics GetPhysicalAddress GetAddressBytes Translate SelectNodes
   SelectSingleNode GetAttribute HasAttribute GetElementsByTagName GetTotalHistoryCount QueryHistory CreateUpdateSearcher Search FindAll
   FindOne ToArray Next HasFlag GetFiles GetDirectories GetFileSystemInfos GetAccessControl GetCertHash GetNameInfo WaitOne GetUtcOffset
   GetSecurityDescriptor MapNetworkToHost TryGetValue GetTypeCode`,
);
const GIVE_TEXT = words(
  `ToString ToUpper ToLower ToUpperInvariant ToLowerInvariant Trim TrimStart TrimEnd Substring PadLeft PadRight ToShortDateString
   ToLongDateString ToShortTimeString ToLongTimeString GetString GetCertHashString GetSerialNumberString GetExpirationDateString
   GetEffectiveDateString`,
);
/** Methods of strings that share their name with one that writes a file. */
const OF_TEXT = words('Replace Insert Remove Normalize');
/** Methods that change an object of the text's own. */
// A collection passes any other method on to its elements, which may be services or accounts.
const OF_OWN: Readonly<Partial<Record<Kind, ReadonlySet<string>>>> = {
  table: words('Add Remove Clear Set_Item Get_Item'),
  list: words('Add AddRange Insert InsertRange Remove RemoveAt RemoveRange Clear Sort Reverse Set_Item Get_Item'),
  queue: words('Push Pop Peek Enqueue Dequeue Clear'),
  builder: words('Append AppendLine AppendFormat Insert Clear'),
  watch: words('Start Stop Restart Reset'),
};
const OF_SOCKET = words('Connect ConnectAsync BeginConnect EndConnect Close Dispose Wait');

/** `$x.Name` and `[type]::Name`. */
export function judgeMember(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const [base, , member] = node.children;
  if (base === undefined || member === undefined) return otherValue(text);
  const name = memberName(member, context);
  if (isStatic(node, context)) return judgeStatic(node, base, name, context);
  context.judge.expression(base, context);
  if (name === undefined) dynamicName(member, context);
  // The code of a function or a command, as an object that others may run.
  else if (/^scriptblock$/i.test(name)) refuse(node, 'code that cannot be seen', context);
  return /^(?:count|length)$/i.test(name ?? '') ? dataValue(text) : otherValue(text);
}

function isStatic(node: Syntax, context: Context): boolean {
  return node.children.some((child) => !child.named && textOf(child, context.source) === '::');
}

/** The name of a member where it is literal. */
function memberName(member: Syntax, context: Context): string | undefined {
  const child = inner(member);
  if (child.type === 'simple_name') return textOf(child, context.source);
  const string = child.type === 'string_literal' ? readString(inner(child), context.source) : undefined;
  return string?.literal;
}

/** A property may be named by an expression; reading one still only reads. */
function dynamicName(member: Syntax, context: Context): void {
  const child = inner(member);
  if (child === member || child.type === 'script_block_expression')
    refuse(member, 'a member that is not followed', context);
  else context.judge.expression(child, context);
}

function judgeStatic(node: Syntax, base: Syntax, name: string | undefined, context: Context): Value {
  const text = textOf(node, context.source);
  const gives =
    base.type === 'type_literal' && name !== undefined
      ? staticMember(typeName(textOf(base, context.source)), name)
      : undefined;
  if (gives === undefined) {
    refuse(node, `the static member ${text} is not listed as harmless`, context);
    return otherValue(text);
  }
  return gives === 'text' ? textValue(text) : dataValue(text);
}

/** `$x.Name(…)` and `[type]::Name(…)`. */
export function judgeInvocation(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const [base, , member] = node.children;
  if (base?.type === 'invocation_foreach_expression' || base?.type === 'invocation_where_expression')
    return judgeFilter(base, context);
  const name = member === undefined ? undefined : memberName(member, context);
  const list = node.children.find((child) => child.type === 'argument_list');
  if (base === undefined || name === undefined || list === undefined) {
    refuse(node, 'a method that is not named by itself', context);
    return otherValue(text);
  }
  for (const value of judgeArguments(list, context)) {
    if (value.kind === 'block') refuse(list, 'code is given to a method', context);
  }
  if (isStatic(node, context))
    return /^(?:new|startnew)$/i.test(name) ? construct(node, base, context) : judgeStatic(node, base, name, context);
  return judgeMethod(node, context.judge.expression(base, context), name, context);
}

function judgeMethod(node: Syntax, value: Value, written: string, context: Context): Value {
  const text = textOf(node, context.source);
  const name = written.toLowerCase();
  if (GIVE_TEXT.has(name)) return textValue(text);
  if (METHODS.has(name)) return otherValue(text);
  if (value.kind === 'text' && OF_TEXT.has(name)) return textValue(text);
  if (OF_OWN[value.kind]?.has(name) === true) return otherValue(text);
  if (value.kind === 'socket' && OF_SOCKET.has(name)) return ownValue(text, 'socket');
  refuse(node, `the method ${written} is not listed as harmless`, context);
  return otherValue(text);
}

function construct(node: Syntax, base: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const made = base.type === 'type_literal' ? constructs(typeName(textOf(base, context.source))) : undefined;
  if (made === undefined) {
    refuse(node, 'making an object of this type is not listed as harmless', context);
    return otherValue(text);
  }
  if (made === 'table') return { ...otherValue(text), kind: 'table' };
  return made === 'data' ? dataValue(text) : ownValue(text, made);
}

/** `.Where({ … })` and `.ForEach({ … })`: a name instead of a block may be that of a method. */
function judgeFilter(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const [base, ...rest] = node.children.filter((child) => child.named);
  if (base !== undefined) context.judge.expression(base, context);
  const values = rest.flatMap((child) =>
    child.type === 'argument_list' ? judgeArguments(child, context) : [context.judge.expression(child, context)],
  );
  const [first, ...more] = values;
  if (first?.kind !== 'block' || more.some((value) => value.literals === undefined))
    refuse(node, 'a filter without literal code', context);
  return otherValue(text);
}

function judgeArguments(list: Syntax, context: Context): Value[] {
  const holder = list.children.find((child) => child.type === 'argument_expression_list');
  return (holder?.children ?? [])
    .filter((child) => child.named)
    .map((child) => context.judge.expression(child, context));
}
