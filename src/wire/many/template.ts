/** Whether a URI could come from an RFC 6570 template: its literal parts are there in order, and what stands for an expression is anything. */
export function matchesTemplate(template: string, uri: string): boolean {
  const [first = '', ...literals] = template.split(/\{[^{}]*\}/);
  if (literals.length === 0) return template === uri;
  if (!uri.startsWith(first)) return false;
  const last = literals.pop() ?? '';
  let at = first.length;
  for (const literal of literals) {
    const found = uri.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return uri.length - last.length >= at && uri.endsWith(last);
}
