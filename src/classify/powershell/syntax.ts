import type { TreeCursor } from 'web-tree-sitter';

/** A node of the syntax tree, copied out of the parser. Comments are left out. */
export interface Syntax {
  readonly type: string;
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** Why a tree cannot be trusted to be what PowerShell reads. */
export class Distrusted extends Error {}

const MAX_DEPTH = 400;

/** Copies the tree, and checks what lies between its nodes: only blanks, line ends where PowerShell takes them too, and comments. */
export function copyTree(cursor: TreeCursor, source: string, depth = 0): Syntax {
  if (depth > MAX_DEPTH) throw new Distrusted('it is nested too deep');
  if (cursor.nodeIsMissing) throw new Distrusted('something is missing in it');
  const node: { -readonly [K in keyof Syntax]: Syntax[K] } = {
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  };
  if (node.type === 'ERROR') throw new Distrusted('it cannot be parsed');
  if (node.type === 'comment') checkComment(node, source);
  if (!cursor.gotoFirstChild()) return node;
  const all: Syntax[] = [];
  do all.push(copyTree(cursor, source, depth + 1));
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
  if (!OPAQUE.has(node.type)) checkGaps(node, all, source);
  const kept = all.filter((child) => child.type !== 'comment' && child.type !== 'command_argument_sep');
  node.children = node.type === 'command_elements' ? joinCalls(kept) : kept;
  return node;
}

/** In the elements of a command the grammar leaves the arguments of `$x.Name(…)` beside it; PowerShell calls the method. */
function joinCalls(elements: readonly Syntax[]): Syntax[] {
  const joined: Syntax[] = [];
  for (const element of elements) {
    const before = joined.at(-1);
    const member = before === undefined ? undefined : inner(before);
    const calls = element.type === 'argument_list' && before?.end === element.start && member?.type === 'member_access';
    if (!calls) joined.push(element);
    else
      joined[joined.length - 1] = {
        ...member,
        type: 'invocation_expression',
        end: element.end,
        children: [...member.children, element],
      };
  }
  return joined;
}

/** Their text is read character by character elsewhere. */
const OPAQUE = new Set([
  'expandable_string_literal',
  'expandable_here_string_literal',
  'command_name',
  'variable',
  'command_argument_sep',
]);

function checkComment(node: Syntax, source: string): void {
  const before = source.charAt(node.start - 1);
  if (before !== '' && !/[\s;{(|]/.test(before)) throw new Distrusted('a comment that begins inside a word');
  const text = source.slice(node.start, node.end);
  // PowerShell ends a block comment at the first `#>`, whatever stands before it.
  if (text.startsWith('<#') ? text.indexOf('#>', 2) !== text.length - 2 : text.includes('\n')) {
    throw new Distrusted('a comment whose end is not clear');
  }
}

/** Nodes that hold lines: a line end between their children ends a statement or an entry. */
const LINES = new Set(
  `program statement_list statement_block script_block script_block_body script_block_expression sub_expression array_expression
   hash_literal_expression hash_literal_body hash_entry parenthesized_expression if_statement elseif_clauses else_clause elseif_clause
   try_statement catch_clauses catch_clause finally_clause switch_statement switch_body switch_clauses switch_clause foreach_statement
   while_statement do_statement for_statement param_block parameter_list argument_list argument_expression_list array_literal_expression`.split(
    /\s+/,
  ),
);

function checkGaps(node: Syntax, children: readonly Syntax[], source: string): void {
  let end = node.start;
  let before: Syntax | undefined;
  for (const child of children) {
    checkGap(node, before, child, source.slice(end, child.start), source.charAt(end - 1));
    end = Math.max(end, child.end);
    before = child;
  }
  const rest = source.slice(end, node.end);
  if (!/^\s*$/.test(rest) && !(LINES.has(node.type) && /^[\s;]*$/.test(rest)))
    throw new Distrusted('a part of it is in no node');
}

function checkGap(node: Syntax, before: Syntax | undefined, after: Syntax, gap: string, previous: string): void {
  const statements = node.type === 'statement_list' && before !== undefined;
  if (statements && !gap.includes('\n') && !separates(before, after)) throw new Distrusted('two statements meet');
  if (gap === '' || (node.type === 'bareword_argument_list' && /^ *, *\n*[ \n]*$/.test(gap))) return;
  if (!isBlank(gap, previous)) throw new Distrusted('a part of it is in no node');
  const breaks = gap.replaceAll('`\n', '').includes('\n');
  if (breaks && !mayBreak(node, before, after)) throw new Distrusted('a line end inside a command');
}

/** Blanks, line ends, and line ends that a backtick behind a blank takes away. */
function isBlank(gap: string, previous: string): boolean {
  return /^(?:[ \n]|`\n)*$/.test(gap) && !/[^ ]`/.test(`${previous}${gap}`);
}

function separates(before: Syntax, after: Syntax): boolean {
  return (
    isEmpty(before) ||
    isEmpty(after) ||
    before.type === 'comment' ||
    after.type === 'comment' ||
    ENDS_WITH_BLOCK.test(before.type)
  );
}

function isEmpty(node: Syntax): boolean {
  return node.type === 'empty_statement';
}

const ENDS_WITH_BLOCK = /^(?:if|foreach|for|while|try|switch|function)_statement$/;

function mayBreak(node: Syntax, before: Syntax | undefined, after: Syntax): boolean {
  if (LINES.has(node.type) || before === undefined) return true;
  if (before.type === 'comment') return LINES.has(node.type) || !node.type.startsWith('command');
  // Behind an operator or an opening bracket PowerShell goes on reading, and before a closing one.
  if (!before.named || /operator$/.test(before.type)) return before.type !== '.' && before.type !== '&';
  return !after.named && /^[)}\]|]$/.test(after.type);
}

/** The text of a node. */
export function textOf(node: Syntax, source: string): string {
  return source.slice(node.start, node.end);
}

/** The one child that is not punctuation; the node itself where there is none or several. */
export function inner(node: Syntax): Syntax {
  const named = node.children.filter((child) => child.named);
  return named.length === 1 && named[0] !== undefined ? named[0] : node;
}
