import { fc } from '../../support/property.js';

/** Operands that lead somewhere in the sandbox's directory, or look like code, options, assignments. */
const OPERANDS =
  String.raw`f f.txt g sub sub/h . .. /tmp/w/f /tmp/w out new/x hole data.json conf.yml page.xml a.tar g.gz db.sqlite run.sh
w.sed w.awk q.sql link 1 2 5 0 -1 10 a=b x=1 - -- +w +1 a:b utf-8 %s %n c d a b , : / = of=out if=f s/a/b/ s/a/b/wout 1p p w.out {print} .a . head
HEAD main /etc/hosts /etc/passwd /dev/null /dev/stdout '' 'a b' 'touch hole' ';' \; {} {}+ ! \( \) name never always 3:1 60 t`
    .split(/\s+/)
    .filter((word) => word !== '');

/** Words that the shell turns into others. */
const EXPANSIONS =
  `* ? -* [-]* *f ./* {f,out} {-o,out} {f,g} -{o,i} $x "$x" $o "$o" $i "$i" "$y" $y $n "$n" $v "$v" $1 "$1" $@ "$@" $* "$*" $#
@{x} "@{x}" @{x:-f} @{z:-f} @{z:=f} @{x#-} @{x%t} @{x/o/O} @{#x} @{x:1} @{!x} @{x@P} @{n@P} @{x^} $(echo -oout) "$(echo -oout)" ` +
  '`echo out` "`echo -i`" $((1+1)) $((n)) $((1)) <(cat@f) <(touch@hole) $(touch@hole) "$(touch@hole)" ~ ~/out $\'-o\' $\'\\x2doout\' "a"b -"o" =ls @(f) !(f)';

/** The same as words of their own, the placeholders filled in. */
export const expansion = fc.constantFrom(
  ...EXPANSIONS.split(/\s+/)
    .map((word) => word.replaceAll('@{', '$'.concat('{')))
    .map((word) => word.replaceAll(/(?<=[a-z])@(?=[a-z])/g, ' ')),
);
export const operand = fc.constantFrom(...OPERANDS);

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
export const anyFlag = fc.oneof(
  fc.constantFrom(...LETTERS).map((letter) => `-${letter}`),
  fc.tuple(fc.constantFrom(...LETTERS), operand).map(([letter, value]) => `-${letter}${value}`),
  fc.constantFrom(
    ...'--output=out --output out --in-place --backup --file=out --log=out --exec --delete --write -w -o -O -i -f -e -c -d'.split(
      ' ',
    ),
  ),
);

const REQUOTE: readonly ((word: string) => string)[] = [
  (word) => `"${word}"`,
  (word) => `'${word}'`,
  (word) => `\\${word}`,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  (word) => `$'${word}'`,
];

/** A word, now and then written in another way. */
export function requoted(word: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(word, fc.option(fc.constantFrom(...REQUOTE), { freq: 1, nil: undefined }))
    .map(([text, quote]) => (quote === undefined || /['"\\$`{}<(*?]/.test(text) ? text : quote(text)));
}
