import { fc } from '../../support/property.js';
import { changedExample, listedCall } from './calls.js';
import { code } from './code.js';
import { anyFlag, expansion, operand, requoted } from './words.js';

// Surely changes, so wherever it is run, the line must not be read_only.
const CHANGES =
  `touch hole;cp f out;mv f out;rm f;ln f out;ln -s f out;mkdir new;rmdir sub;chmod 600 f;truncate -s 1 f;install f out;tee out;dd if=f of=out;
sed -i s/a/b/ f;sort -o out f;split f;csplit f 2;tar -xf a.tar;tar -cf out f;gzip f;gunzip g.gz;patch f;find . -name f -delete;find . -exec touch hole ;;
git config a.b c;sqlite3 db.sqlite 'drop table t';awk '{ print > "out" }' f;xargs touch;perl -e 'open F, ">hole"';python3 -c 'open("hole","w")';mktemp -p .;mkfifo out;sh run.sh;./run.sh;. ./run.sh`
    .split(/;\n?(?!;)/)
    .map((line) => line.trim().replace(/ ;$/, ' \\;'));
const READS =
  'ls;cat f;echo a;wc -l f;head -1 f;grep a f;stat f;true;sort f;cut -c1 f;uname;find . -name f;printf %s a;test -f f;[ -f f ];date;id;pwd;seq 2;tr a b'.split(
    ';',
  );

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const word = fc.oneof(
  { arbitrary: requoted(operand), weight: 4 },
  { arbitrary: expansion, weight: 2 },
  { arbitrary: anyFlag, weight: 1 },
);
const target = fc.oneof({ arbitrary: fc.constant('/dev/null'), weight: 5 }, { arbitrary: word, weight: 1 });
const redirection = fc
  .tuple(fc.constantFrom(...'< < > >> 2> 2>> &> &>> >| <> >& <& 2>&1 >&2 1>&2 2>&- <&- {fd}> 3> 0<'.split(' ')), target)
  .map(([operator, to]) =>
    /[0-9-]$/.test(operator) ? operator : `${operator} ${operator.startsWith('<') && to === '/dev/null' ? 'f' : to}`,
  );

type Frame = (first: string, second: string, word: string) => string;

const FRAMES: readonly Frame[] = [
  (a, b) => `${a} | ${b}`,
  (a, b) => `${a}; ${b}`,
  (a, b) => `${a} && ${b}`,
  (a, b) => `${a} || ${b}`,
  (a, b) => `${a}\n${b}`,
  (a, b) => `${a} |& ${b}`,
  (a, b) => `${a} & ${b}`,
  (a) => `(${a})`,
  (a) => `{ ${a}; }`,
  (a) => `! ${a}`,
  (a) => `time ${a}`,
  (a, b) => `if ${a}; then ${b}; fi`,
  (a, b) => `if false; then ${a}; else ${b}; fi`,
  (a, b, w) => `for v in ${w} b; do ${a}; ${b}; done`,
  (a, _b, w) => `for f in ${w}; do ${a} $f; done`,
  (a, b) => `while ${a}; do ${b}; break; done`,
  (a, b) => `until ${a}; do ${b}; break; done`,
  (a, b, w) => `case ${w} in a) ${a};; *) ${b};; esac`,
  (a) => `f() { ${a}; }; f`,
  (a) => `ls() { ${a}; }; ls`,
  (a) => `function g { ${a}; }; g`,
  (a) => `trap ${quoted(a)} EXIT`,
  (a) => `trap ${quoted(a)} DEBUG; ls`,
  (a) => `alias ls=${quoted(a)}\nls`,
  (a) => `echo "$(${a})"`,
  (a) => `echo \`${a.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  (a) => `cat <(${a})`,
  (a) => `x=$(${a})`,
  (a) => `a=(x $(${a}))`,
  (a, b) => `x=${quoted(a)}; ${b}; $x`,
  (a) => `echo ${'$'}{z:-$(${a})}`,
  (a) => `echo ${'$'}{x#$(${a})}`,
  (a) => `echo $((1 + $(${a})))`,
  (a) => `[[ -n $(${a}) ]]`,
  (a) => `[ "$(${a})" = a ]`,
  (a) => `cat <<EOF\n$(${a})\nEOF`,
  (a, b) => `cat <<'EOF'\n${a}\nEOF\n${b}`,
  (a, b) => `cat <<-E\n\t${a}\n\tE\n${b}`,
  (a) => `cat <<< "$(${a})"`,
  (a, b) => `${a} # ${b}`,
  (a) => `sh -c ${quoted(a)}`,
  (a) => `bash -c ${quoted(a)} f out`,
  (a) => `eval ${quoted(a)}`,
  (a) => `env ${a}`,
  (a) => `env A=1 LANG=C ${a}`,
  (a) => `nice ${a}`,
  (a) => `timeout 2 ${a}`,
  (a) => `stdbuf -oL ${a}`,
  (a) => `setsid -w ${a}`,
  (a) => `nohup ${a}`,
  (a) => `command ${a}`,
  (a) => `exec ${a}`,
  (a) => `builtin ${a}`,
  (a) => `xargs ${a}`,
  (a) => `echo f | xargs ${a}`,
  (a, _b, w) => `echo ${w} | xargs -I{} ${a} {}`,
  (a) => `find . -maxdepth 1 -exec ${a} \\;`,
  (a) => `find sub -exec ${a} {} +`,
  (a) => `coproc ${a}`,
  (a) => `coproc C { ${a}; }`,
  (a, _b, w) => `LANG=${w} ${a}`,
  (a, _b, w) => `x=${w} ${a}`,
  (a, _b, w) => `o=${w}; ${a} $o`,
  (a, _b, w) => `set -- ${w}; ${a} "$@"`,
  (a, _b, w) => `${a} ${w}`,
  (a, b) => `select s in a; do ${a}; ${b}; break; done`,
  (a) => `(( $(${a}) ))`,
  (a) => `for ((i=0;i<1;i++)); do ${a}; done`,
  (a) => `watch -n 1 ${quoted(a)}`,
  (a) => `cd sub && ${a}`,
  (a, b) => `${a} \\\n && ${b}`,
  (a) => `BASH_ENV=run.sh ${a}`,
  (a) => `PATH=.:$PATH ${a}`,
];

const TOKENS =
  'touch hole;$(;`;);";\';\n;;;|;&;(;{;};@{x:-;<<E;\nE\n;$\';\\;#;[[ ; ]];((;$((;echo ;ls ;a=;for i in ; do ;done;if ;then ;fi;case ; esac;*;~;{touch,hole};$x;"$@";time ;sed -n ;find . -exec ;\\;;xargs ;sh -c ;\t;=;@(;;;<(;>&;>;<>;&>;function f ;test ;cat f'
    .split(/;(?!;)/)
    .map((token) => token.replaceAll('@{', '$'.concat('{')));
const soup = fc.array(fc.constantFrom(...TOKENS), { minLength: 2, maxLength: 14 }).map((tokens) => tokens.join(''));

const leaf = fc.oneof(
  { arbitrary: listedCall, weight: 8 },
  { arbitrary: fc.constantFrom(...READS), weight: 4 },
  { arbitrary: fc.constantFrom(...CHANGES), weight: 2 },
  { arbitrary: code, weight: 3 },
);
const { line } = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: leaf, weight: 3 },
    { arbitrary: fc.tuple(tie('line'), redirection).map(([a, to]) => `${a} ${to}`), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...FRAMES), tie('line'), fc.constantFrom(...READS), word, fc.boolean())
        .map(([frame, a, b, w, swap]) => (swap ? frame(b, a, w) : frame(a, b, w))),
      weight: 3,
    },
  ),
}));

/** Command lines over the programs of this machine: plain calls, code of sed and its kin, all that a shell can put around them, and junk. */
export const commandLine = fc.oneof(
  { arbitrary: line, weight: 10 },
  { arbitrary: changedExample, weight: 4 },
  { arbitrary: listedCall, weight: 6 },
  { arbitrary: code, weight: 2 },
  { arbitrary: soup, weight: 2 },
);
