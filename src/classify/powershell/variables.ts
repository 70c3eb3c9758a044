import { type Syntax, textOf } from './syntax.js';
import { type Kind, otherValue, type Value } from './value.js';

/** A place where a variable gets its value. `from` and `to`: where in the text it surely has it, if nothing else is written there. */
interface Binding {
  readonly value: Syntax;
  readonly from: number;
  readonly to: number;
  /** One of the value's items, as in a loop. */
  readonly item: boolean;
}

interface Known {
  readonly bindings: Binding[];
  /** It is also written in a way that is not followed. */
  unclear: boolean;
  /** What it holds is changed, or may be. */
  touched: boolean;
  uses: number;
  value?: Value;
  busy?: boolean;
}

/** The variables that a text itself sets, found before it is judged. */
export class Variables {
  readonly #known = new Map<string, Known>();

  constructor(root: Syntax, source: string) {
    this.#collect(root, root, source);
  }

  /** What is known of a variable at a place; undefined where it may come from somewhere else. */
  at(name: string, place: number, evaluate: (node: Syntax) => Value): Value | undefined {
    const known = this.#known.get(name.toLowerCase());
    const binding = known?.bindings[0];
    if (
      known === undefined ||
      binding === undefined ||
      known.unclear ||
      known.bindings.length > 1 ||
      known.busy === true
    )
      return undefined;
    if (place < binding.from || place >= binding.to) return undefined;
    if (known.value === undefined) {
      known.busy = true;
      const value = evaluate(binding.value);
      known.value = reduced(binding.item ? item(value) : value, known);
      known.busy = false;
    }
    return known.value;
  }

  /** Whether the text gives this variable a value that it may count on. */
  sets(name: string): boolean {
    return (this.#known.get(name.toLowerCase())?.bindings.length ?? 0) > 0;
  }

  #collect(node: Syntax, list: Syntax, source: string): void {
    const scope = node.type === 'statement_list' ? node : list;
    if (node.type === 'assignment_expression') this.#assign(node, scope, source);
    else if (node.type === 'foreach_statement') this.#loop(node, source);
    else if (node.type === 'script_parameter') this.#spoilAll(node, source);
    else if (node.type === 'invocation_expression') this.#touch(node, source);
    else if (node.type === 'variable' && source.charAt(node.start) === '$')
      this.#entry(textOf(node, source).slice(1)).uses += 1;
    else if (/^(?:pre|post)_(?:in|de)crement_expression$/.test(node.type)) this.#spoilAll(node, source);
    for (const child of node.children) this.#collect(child, scope, source);
  }

  #assign(node: Syntax, scope: Syntax, source: string): void {
    const [left, operator, value] = node.children;
    if (left === undefined || operator === undefined || value === undefined) return;
    if (this.#touch(left, source)) return;
    const name = plainTarget(left, source);
    if (name === undefined || textOf(operator, source) !== '=' || value.type !== 'assignment_value') {
      this.#spoilAll(left, source);
      return;
    }
    this.#entry(name).bindings.push({ value, from: node.end, to: scope.end, item: false });
  }

  #loop(node: Syntax, source: string): void {
    const variable = node.children.find((child) => child.type === 'variable');
    const values = node.children.find((child) => child.type === 'pipeline');
    if (variable === undefined || values === undefined) return;
    this.#entry(textOf(variable, source).slice(1)).bindings.push({
      value: values,
      from: values.end,
      to: node.end,
      item: true,
    });
  }

  /** Notes that what a variable holds is written through it: `$x.a`, `$x[0]`, `$x.Add(…)`. */
  #touch(node: Syntax, source: string): boolean {
    const target = onlyChild(node);
    const [base] = target.children;
    if (base === undefined || !/^(?:member_access|element_access|invocation_expression)$/.test(target.type))
      return false;
    if (base.type !== 'variable') return false;
    this.#entry(textOf(base, source).slice(1)).touched = true;
    return true;
  }

  #spoilAll(node: Syntax, source: string): void {
    if (node.type === 'variable') this.#entry(textOf(node, source).slice(1)).unclear = true;
    for (const child of node.children) this.#spoilAll(child, source);
  }

  #entry(written: string): Known {
    const name = written.toLowerCase();
    const known = this.#known.get(name) ?? { bindings: [], unclear: false, touched: false, uses: 0 };
    this.#known.set(name, known);
    return known;
  }
}

const KEPT: ReadonlySet<Kind> = new Set<Kind>(['table', 'list', 'queue', 'builder', 'watch', 'object', 'socket']);

/** What may be said of a variable that is also used elsewhere: its entries may have been changed through another name. */
function reduced(value: Value, known: Known): Value {
  if (known.touched)
    return {
      ...otherValue(value.text),
      kind: KEPT.has(value.kind) ? value.kind : 'other',
    };
  return known.uses > 1 ? { ...value, entries: undefined } : value;
}

function onlyChild(node: Syntax): Syntax {
  const [child, ...more] = node.children;
  if (node.type === 'invocation_expression' || child === undefined || more.length > 0) return node;
  return onlyChild(child);
}

/** The name where the target is a variable alone. */
function plainTarget(left: Syntax, source: string): string | undefined {
  let node = left;
  while (node.type !== 'variable') {
    const [child, ...more] = node.children;
    if (child === undefined || more.length > 0) return undefined;
    node = child;
  }
  return textOf(node, source).slice(1);
}

function item(value: Value): Value {
  const single = value.literals !== undefined;
  return single ? { ...value, prefix: '', kind: 'text', one: true } : { ...otherValue(value.text), plain: value.plain };
}
