/**
 * The one way in which text from outside (names of VMs, appliance messages, tools, commands) reaches a human or an agent:
 * in double quotes, control and bidi characters as \u escapes, cut at `max` characters.
 */
export function quote(text: string, max = 200): string {
  const shown = text.length > max ? `${cut(text, max)}…` : text;
  return `"${visible(shown).replaceAll('"', '\\"')}"`;
}

// Cc, Cf (bidi, zero-width, BOM), Zl, Zp, lone surrogates, private use, NBSP-like spaces, and the variation and tag selectors.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00a0\u115f\u1160\u17b4\u17b5\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\\]|\p{Variation_Selector}|\u034f/gu;

/** The same without the quotes: for a line that must stay one line. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === '\\') return '\\\\';
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The first `max` UTF-16 units, never half a surrogate pair. */
function cut(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** `1 call`, `2 calls`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** A time in milliseconds for people: `4.2 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
