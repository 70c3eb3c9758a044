import { isHarmless, type Mark } from './marks.js';
import { isPlainValue, isSecretName } from './names.js';

const LINE = /^([ \t]{0,80})((?:- )?)(["']?)([\w.-]{1,128})\3:([ \t]{1,20}|$)([^\r]*)(\r?)$/;
const QUOTED = /^(?:"(?:\\[^\n]|[^"\\\n])*"|'(?:''|[^'\n])*')/;
const NESTED = /^[[{&*!]/;

/** What the lines before this one say about it. */
interface Place {
  /** Lines that are indented deeper belong to a secret: a block of text, or the data of a Secret. */
  deeper?: { readonly indent: number; readonly of: 'text' | 'data' } | undefined;
  /** The name in the line before, for `name:` and `value:` in two lines. */
  name: string;
  readonly isSecret: boolean;
}

/** Lines `name: value` of YAML or of headers: the value goes to the line's end; blocks of text, and what a Secret holds. */
export function yamlLines(text: string, mark: Mark): string {
  if (!/:[ \t\r\n]|:$/.test(text)) return text;
  const place: Place = { name: '', isSecret: /^[ \t]{0,8}["']?kind["']?:[ \t]{0,4}["']?Secret\b/m.test(text) };
  return text
    .split('\n')
    .map((line) => yamlLine(line, place, mark))
    .join('\n');
}

function yamlLine(line: string, place: Place, mark: Mark): string {
  const body = line.trimStart();
  const indent = line.length - body.length;
  if (body !== '' && indent <= (place.deeper?.indent ?? -1)) place.deeper = undefined;
  if (place.deeper?.of === 'text') return line.slice(0, indent) + whole(body, mark);
  const [, space = '', dash = '', quote = '', key = '', gap = '', value = '', end = ''] = LINE.exec(line) ?? [];
  if (key === '') return line;
  const name = nameOf(key, value, place);
  if (value === '' && place.isSecret && /^(?:stringData|data)$/.test(key)) place.deeper = { indent, of: 'data' };
  if (value === '' || !(isSecretName(name) || place.deeper?.of === 'data')) return line;
  if (!/^[|>][+-]?\d?[ \t]*$/.test(value))
    return `${space}${dash}${quote}${key}${quote}:${gap}${scalar(name, value, mark)}${end}`;
  place.deeper = { indent: space.length + dash.length, of: 'text' };
  return line;
}

/** What a value belongs to: its key, or for `value:` what the line before named. */
function nameOf(key: string, value: string, place: Place): string {
  const named = place.name;
  place.name = /^(?:name|key)$/.test(key) ? value.trim().replace(/^["']|["']$/g, '') : '';
  return key === 'value' && named !== '' ? named : key;
}

function whole(body: string, mark: Mark): string {
  const said = body.trimEnd();
  return (said === '' || isHarmless(said, "'") ? said : mark(said)) + body.slice(said.length);
}

function scalar(name: string, value: string, mark: Mark): string {
  if (NESTED.test(value)) return value;
  const quoted = QUOTED.exec(value)?.[0];
  const inner = quoted?.slice(1, -1) ?? value.replace(/^["']/, '').trimEnd();
  if (inner === '' || isPlainValue(name, inner) || isHarmless(inner, "'")) return value;
  if (quoted === undefined) return mark(inner);
  return quoted.slice(0, 1) + mark(inner) + quoted.slice(-1) + value.slice(quoted.length);
}

const ELEMENT = /<([\w.:-]{1,80})((?:\s[^<>]{0,400})?)>([^<]{1,4096})(?=<)/g;
const PASSWORD_VALUE = /(<\w{0,40}password\w{0,20}>\s{0,40}<value>)([^<]{1,4096})/gi;

/** The text of XML elements that are named after a secret, by their own name or by an attribute. */
export function xmlElements(text: string, mark: Mark): string {
  if (!text.includes('</')) return text;
  const marked = (value: string): string => (value.trim() === '' || isHarmless(value, "'") ? value : mark(value));
  return text
    .replace(ELEMENT, (all: string, element: string, attributes: string, value: string) => {
      const given = /\s(?:name|key)=["']([\w.-]{1,128})["']/.exec(attributes)?.[1] ?? '';
      const name = [element, given].find(isSecretName);
      if (name === undefined || isPlainValue(name, value.trim())) return all;
      return `<${element}${attributes}>${marked(value)}`;
    })
    .replace(PASSWORD_VALUE, (_, head: string, value: string) => head + marked(value));
}
