/**
 * Compiles a glob over lower-case segments joined with `/`: `*` and `?` stay in one segment, `**` crosses them, `{a,b}` is
 * either (not nested). The match covers the whole text.
 */
export function glob(pattern: string): RegExp {
  return new RegExp(`^${body(pattern)}$`, 's');
}

function body(pattern: string): string {
  const parts = pattern.match(/\{[^{}]*\}|\*\*\/|\*+|\?|[^*?{]+|\{/g) ?? [];
  return parts.map(part).join('');
}

function part(text: string): string {
  if (text === '**/') return '(?:[^/]+/)*';
  if (text.startsWith('**')) return '.*';
  if (text === '*') return '[^/]*';
  if (text === '?') return '[^/]';
  if (/^\{.*\}$/s.test(text)) return `(?:${text.slice(1, -1).split(',').map(body).join('|')})`;
  return text.replace(/[.+^$()|[\]\\{}]/g, '\\$&');
}
