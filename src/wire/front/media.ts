const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?;?$/i;

/** True for `application/json` in any letter case, with no other charset than UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_TYPE.test(contentType.trim());
}

/** Whether an Accept header takes each of these media types; without one everything is taken. */
export function accepts(accept: string | undefined, types: readonly string[]): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const ranges = accept.toLowerCase().split(',').map(rangeOf);
  return types.every((type) => ranges.some((range) => covers(range, type)));
}

function rangeOf(part: string): string | undefined {
  const [range, ...parameters] = part.split(';').map((piece) => piece.trim());
  return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? undefined : range;
}

function covers(range: string | undefined, type: string): boolean {
  return range === '*/*' || range === type || range === `${type.slice(0, type.indexOf('/'))}/*`;
}
