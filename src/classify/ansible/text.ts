const MAX_DEPTH = 32;
const TEMPLATE = /\{[{%#]/;

/** Whether the controller renders something in this text. Nothing is ever rendered here: what would come out cannot be seen. */
function isTemplate(text: string): boolean {
  return TEMPLATE.test(text);
}

/** The same for every text in a value, keys too. A value that is nested too deep counts as one. */
export function hasTemplate(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isTemplate(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  return Object.entries(value).some(([key, inner]) => isTemplate(key) || hasTemplate(inner, depth + 1));
}

/**
 * Whether a variable may hold this. A condition that is only a variable's name is evaluated as the text that the variable holds, and what
 * an expression can call needs a bracket: neither templates nor brackets.
 */
export function isPlainData(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !/[({]/.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  return Object.entries(value).every(([key, inner]) => !/[({]/.test(key) && isPlainData(inner, depth + 1));
}

/** A variable's name, or a path into one: what `debug` may print without evaluating anything. */
export function isVariable(text: string): boolean {
  return /^[A-Za-z]\w*(?:\.[A-Za-z]\w*|\[\d+\]|\['[\w .:/-]*'\])*$/.test(text.trim());
}
