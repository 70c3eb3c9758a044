import { fc } from '../../support/property.js';
import { anyFlag, operand } from './words.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const pieces = (list: string, separator = '~'): fc.Arbitrary<string> => fc.constantFrom(...list.split(separator));
const program = (part: fc.Arbitrary<string>, glue: string): fc.Arbitrary<string> =>
  fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(glue));

const SED = program(
  pieces(
    'p~d~q~n~1~$~1,3~/a/~/a/,/b/~!~{~}~;~\n~ ~s/a/b/~s/a/b/g~s/a/b/w out~s/a/touch hole/e~s/[/]/b/~s|a|b|~s,a,w out,~s/a/\\\n/~y/ab/ba/~w out~W out~w~e~1e touch hole~a text~a\\~i\\\nx~c x~r f~R f~b~b e~t~: e~=~l~D~G~h~x~N~P~z~F~# c~\\,a,~I~M~g~\\n~[~]~/~\\~w\tout~1!w out~0,/a/',
  ),
  '',
);
const AWK = program(
  pieces(
    '{print}~{print $1}~BEGIN{~END{~}~{~print~printf "%s"~ > ~ >> ~ | ~"out"~"touch hole"~"sh"~system("touch hole")~getline~getline < "f"~"touch hole" | getline~close("f")~$1 > 2~($1 > 2)~if ($1 > 2) ~/a/~/[/]/~/ ~,~;~\n~ ~x = 1~x~-~!~? ~:~for (i in a) ~while (0) ~a[1]~(~)~"/dev/stderr"~"/dev/stdout"~# c\n~\\\n~&& ~|| ~~ ~in ~+~++~1~function f(a) {~f(1)~return~next~exit~@load "x"~fflush()~substr($1,1)~sub(/a/,"b")~length~tolower($1)~-f~strftime()~ENVIRON["x"]',
  ),
  ' ',
);
const FIND = program(
  fc.oneof(
    pieces(
      '-name f~-name~-type f~-size +0~-print~-print0~-ls~-delete~-exec touch hole ;~-exec cat {} ;~-exec cat {} +~-exec touch {} +~-execdir ls ;~-ok ls ;~-o~-a~!~(~)~,~-not~-prune~-quit~-fprint out~-fls out~-fprintf out %p~-printf %p~-newer f~-newermt 2020-01-01~-maxdepth 1~-mindepth 1~-perm -u+r~-empty~-regex .*~-regextype sed~-samefile f~-user 0~-mtime -1~-exec sh -c "touch hole" ;~-exec sh -c "cat $1" _ {} ;~-exec {} ;~-files0-from f~-D tree~-O3~-L~-depth~-true',
    ),
    operand,
  ),
  ' ',
).map((text) => text.replaceAll(/ ;(?= |$)/g, ' \\;').replaceAll(/(?<![\w\\])[()](?!\w)/g, '\\$&'));
const TEST = program(
  pieces(
    '-f~-e~f~-v~a[$(touch hole)]~=~!=~-eq~-lt~1~2~-a~-o~!~(~)~$n~"$n"~$x~"$x"~-n~-z~-nt~""~]~>~<~=~~==~-R~-t~||~&&',
    '~',
  ),
  ' ',
);
const JQ = program(
  pieces(
    '.~.a~[]~|~,~keys~length~input~env~$ENV~@sh~@base64~"a"~(~)~select(.a)~..~input_filename~debug~limit(1;.)~include "x";~import "x" as y;',
  ),
  ' ',
);
const SQL = program(
  pieces(
    "select~*~from t~a~,~1~;~where a=1~insert into t values(1,1)~drop table t~create table u(a)~pragma table_info(t)~pragma user_version=3~pragma~vacuum into 'out'~attach 'out' as x~writefile('out','a')~readfile('f')~load_extension('x')~count(*)~.tables~.schema~.output out~.once out~.shell touch hole~.system touch hole~.save out~.backup out~.read q.sql~.import f t~.mode csv~explain~with x as (select 1)~--~/*~*/~edit('a')~returning a~.log out~.excel~.cd sub~.dump~\n~'a'~|| 'b'~.open out",
  ),
  ' ',
);
const TAR = fc
  .tuple(
    pieces('tar~tar -~tar --'),
    pieces(
      'tf~tvf~cf~xf~rf~df~tzf~xOf~tfO~list~extract~Af~uf~tf a.tar --to-command=touch~tf a.tar -I~--checkpoint-action=exec=sh',
    ),
    fc.array(
      fc.oneof(
        operand,
        anyFlag,
        fc.constantFrom('a.tar', '-C', '-T', '-X', '--wildcards', '-O', '--delete', '-g', '--index-file=out', '-v'),
      ),
      {
        maxLength: 4,
      },
    ),
  )
  .map(([start, action, rest]) => `${start}${action} ${rest.join(' ')}`);
const GIT = fc
  .tuple(
    fc.constantFrom('', '-C sub', '--no-pager', '-c a.b=c', '-p', '--git-dir=.git'),
    pieces(
      'log~show~diff~status~branch~tag~remote~config~stash~blame~ls-files~rev-parse~cat-file~describe~shortlog~reflog~grep~show-ref~for-each-ref~archive~notes~worktree~submodule~bisect~fsck~gc~add~commit~checkout~whatchanged~ls-tree~symbolic-ref~name-rev~rev-list~merge-base~var~count-objects~diff-tree~apply~bundle~hash-object~update-index',
    ),
    fc.array(
      fc.oneof(
        operand,
        anyFlag,
        pieces(
          '-l~--list~-v~list~show~HEAD~--output=out~--output~-p~--stat~-a~--get~--get-regexp~--all~--ext-diff~-d~-D~-m~-f~new~-w~--~verify~create~exists~--contains~--no-index~-O~--open-files-in-pager=touch~expire~--show-toplevel~-u~prune',
        ),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([before, sub, rest]) => `git ${before} ${sub} ${rest.join(' ')}`);

/** Calls of programs that have a language of their own: with code in it that reads, that changes, and that is broken. */
export const code = fc.oneof(
  fc
    .tuple(fc.constantFrom('sed', 'sed -n', 'sed -E', 'sed -e p -e', 'sed -s', 'sed --posix'), SED)
    .map(([start, text]) => `${start} ${quoted(text)} f`),
  fc
    .tuple(fc.constantFrom('awk', 'mawk', 'gawk', 'awk -F:', 'awk -v a=b', 'busybox awk'), AWK)
    .map(([start, text]) => `${start} ${quoted(text)} f`),
  FIND.map((text) => `find ${text}`),
  fc
    .tuple(fc.constantFrom('[ @ ]', 'test @', '[[ @ ]]', '[ @'), TEST)
    .map(([frame, text]) => frame.replace('@', () => text)),
  JQ.map((text) => `jq ${quoted(text)} data.json`),
  fc
    .tuple(fc.constantFrom('sqlite3 -readonly', 'sqlite3', 'sqlite3 -batch'), SQL)
    .map(([start, text]) => `${start} db.sqlite "${text}"`),
  TAR,
  GIT,
);
