import type { Family } from './types.js';

/** Programs that show files, directories and their attributes. */
export const FILES = {
  effect: 'read_only',
  commands: {
    'ls dir vdir': {
      short: 'aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1',
      long: 'all almost-all author escape block-size: ignore-backups color:: directory dired classify:: file-type format: full-time group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir hide: hyperlink:: indicator-style: inode ignore: kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style: reverse recursive size sort: time: time-style: tabsize: width: context zero',
      dynamic: 'any',
    },
    stat: { short: 'Lfc:tx', long: 'dereference file-system format: printf: terse cached:', dynamic: 'any' },
    file: {
      short: 'bcdDe:EhiIklLnNprRsSvzZ0F:P:',
      long: 'brief mime mime-type mime-encoding extension no-dereference dereference keep-going list apple no-buffer no-pad preserve-date print0 raw special-files separator: exclude: uncompress version',
    },
    du: {
      short: '0aAbcdDhHklmnPsSt:B:d:xX:L',
      long: 'null all apparent-size block-size: bytes total dereference-args max-depth: files0-from: human-readable inodes dereference no-dereference separate-dirs si summarize threshold: time:: time-style: exclude-from: exclude: one-file-system',
      dynamic: 'any',
    },
    df: {
      short: 'aB:hHiklmPt:Tx:v',
      long: 'all block-size: human-readable si inodes local no-sync output:: portability sync total type: print-type exclude-type:',
      dynamic: 'any',
    },
    tree: {
      style: 'getopt',
      short: 'adfilqQnNpsugDFrtUvxACJXSL:P:I:H:T:ch',
      long: 'charset: dirsfirst device du filelimit: filesfirst fromfile fromtabfile gitignore gitfile: hintro: houtro: ignore-case info infofile: inodes matchdirs metafirst noreport nolinks prune si sort: timefmt: filesfrom',
      flags: { '-o -R': { arg: 'value', effect: 'mutating' } },
    },
    'readlink realpath': {
      short: 'efmnqsvzLP',
      long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero logical physical strip no-symlinks relative-to: relative-base:',
      dynamic: 'any',
    },
    'basename dirname': { short: 'as:z', long: 'multiple suffix: zero', dynamic: 'any' },
    namei: { short: 'xmolnv', long: 'mountpoints modes owners long nosymlinks vertical context' },
    pathchk: { short: 'pP', long: 'portability' },
    lsattr: { short: 'RVadlpv' },
    getfacl: {
      short: 'acdeEsRLPtpn',
      long: 'access default omit-header all-effective no-effective skip-base recursive logical physical tabular numeric absolute-names',
    },
    getfattr: {
      short: 'n:de:hLmPR',
      flags: { '-m': 'value' },
      long: 'name: dump encoding: no-dereference match: only-values recursive logical physical absolute-names',
    },
    getcap: { short: 'nrv' },
    setcap: { otherwise: 'mutating', short: 'vqn:', requires: '-v' },
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum b3sum': {
      short: 'bcl:rstwza:',
      long: 'binary check length: tag text zero ignore-missing quiet status strict warn algorithm: debug raw base64 untagged sysv no-names num-threads:',
      dynamic: 'any',
    },
    cmp: { short: 'bi:ln:s', long: 'print-bytes ignore-initial: verbose bytes: quiet silent', dynamic: 'any' },
    'diff colordiff diff3 sdiff': {
      short: 'abBcC:dD:eEfF:hHiI:lLnNpPqrsS:tTuU:vwW:x:X:yZ0123456789',
      flags: { '-L': 'value', '-o --output': { arg: 'value', effect: 'mutating' } },
      long: 'normal brief report-identical-files context:: unified:: ed rcs side-by-side width: left-column suppress-common-lines show-c-function show-function-line: label: expand-tabs initial-tab tabsize: suppress-blank-empty paginate recursive no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude: exclude-from: starting-file: from-file: to-file: ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines: text strip-trailing-cr ifdef: GTYPE-group-format: line-format: minimal horizon-lines: speed-large-files color:: palette:',
    },
    'find bfs': {
      check: 'find',
      style: 'words',
      flags: {
        '-print -print0 -ls -prune -quit -exit -depth -d -daystart -mount -xdev -x -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -true -false -empty -executable -readable -writable -nouser -nogroup -a -and -o -or -not -help -version':
          'none',
        '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -user -group -uid -gid -perm -links -inum -samefile -newer -anewer -cnewer -mtime -atime -ctime -mmin -amin -cmin -used -maxdepth -mindepth -fstype -printf -context':
          'value',
        '-delete': { arg: 'none', effect: 'mutating' },
        '-fprint -fprint0 -fls -fprintf': { arg: 'value', effect: 'mutating' },
      },
    },
    'fd fdfind': {
      short: 'HIusigaLFp0d:t:e:S:E:c:j:lr1qv',
      long: 'hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 max-depth: min-depth: exact-depth: prune type: extension: size: changed-within: changed-before: newer: older: owner: exclude: ignore-file: color: threads: max-results: quiet show-errors strip-cwd-prefix one-file-system path-separator: search-path: base-directory: max-one-result and:',
    },
    'locate plocate mlocate': {
      short: 'Abcd:eil:L:nNpPqrsSw0',
      long: 'all basename count database: existing ignore-case limit: follow nofollow null print statistics regexp: regex transliterate wholename version',
    },
    'exa eza lsd': {
      short: '1lGxFRTd:aDfhgHibmuUStrIs:L:nZ@BX',
      flags: { '-d': 'none', '-I': 'value' },
      long: 'oneline long grid across recurse tree level: all list-dirs only-dirs only-files sort: reverse group-directories-first git-ignore ignore-glob: binary bytes group header icons:: links inode modified blocks time: accessed created extended git color:: colour:: classify:: no-permissions no-filesize no-user no-time time-style: numeric absolute::',
    },
    mountpoint: { short: 'dqx', long: 'fs-devno quiet devno nofollow' },
    lsof: {
      short: 'abClnNoOPRtUVXvMEhwKHQ?zZc:d:g::i::k:p:r::s::u:F::f:T::x::S::A:m:L::e:',
      flags: { '-D': { arg: 'value', effect: 'mutating' } },
    },
    lsblk: {
      short: 'abdDe:fI:iJlmMnNo:OpPrSstTvVxzy',
      flags: { '-x --sort': 'value', '-E --dedup': 'value', '-w --width': 'value' },
      long: 'all bytes nodeps discard exclude: fs include: ascii json list merge perms noheadings nvme output: output-all paths pairs raw scsi inverse tree:: topology virtio zoned shell hyperlink',
    },
    findmnt: {
      short: 'AabcCDd:efFhiJkl:mM:nN:o:OPpRrsS:t:T:uUvVw:xyz',
      flags: {
        '-l -m -p -w -P -O': 'none',
        '-O --options': 'value',
        '-w --timeout': 'value',
        '-p --poll': 'optional',
        '-F --tab-file': 'value',
      },
      long: 'all ascii bytes nocanonicalize canonicalize df direction: evaluate first-only fstab invert json kernel list mtab mountpoint: noheadings task: output: output-all pairs raw real submounts source: types: target: uniq notruncate nofsroot verify verbose tree shadowed pseudo',
    },
    inotifywait: {
      short: 'mrqe:t:c',
      flags: {
        '-o --outfile': { arg: 'value', effect: 'mutating' },
        '-d --daemon': { arg: 'none', effect: 'unknown' },
      },
      long: 'monitor recursive quiet event: timeout: csv format: timefmt: exclude: excludei: include: includei:',
    },
    // The loader may run code of a file that is no part of the system.
    ldd: {
      short: 'druv',
      long: 'data-relocs function-relocs unused verbose',
      operands: { match: '^/(?:usr/|bin/|sbin/|lib|opt/)' },
    },
    'nm size': {
      short: 'AaBCDdf:gilnoprSstuvWx',
      long: 'print-file-name debug-syms demangle:: dynamic defined-only extern-only no-demangle numeric-sort no-sort print-armap print-size radix: reverse-sort size-sort special-syms undefined-only format: line-numbers portability synthetic totals common',
    },
    objdump: {
      short: 'aCdDeEfFghHgGij:lm:M:prRsStTvVwxzW',
      long: 'archive-headers file-headers private-headers headers section-headers all-headers disassemble disassemble-all source full-contents debugging stabs dwarf:: syms dynamic-syms reloc dynamic-reloc section: architecture: demangle:: disassembler-options: line-numbers no-show-raw-insn start-address: stop-address: wide info no-addresses prefix-addresses private: target: show-raw-insn',
    },
    'readelf eu-readelf': {
      short: 'aADcdehIlnp:rR:sSgtuVw::Wx:X:z',
      long: 'all file-header program-headers segments section-headers sections section-groups section-details headers syms symbols dyn-syms lto-syms sym-base: notes relocs unwind dynamic version-info arch-specific archive-index use-dynamic hex-dump: string-dump: relocated-dump: decompress debug-dump:: histogram wide demangle::',
    },
  },
  examples: {
    read_only: [
      'ls -la --color=auto /etc/*',
      'ls $x',
      'stat -c %a f',
      'du -sh --max-depth=1 /var',
      'df -hT',
      'tree -L 2 /etc',
      'find / -name "*.log" -size +1M',
      'find . -newermt 2026-01-01 -ls',
      'find /etc -exec grep -l x {} +',
      'find . -type f -exec stat {} \\;',
      "find $'/etc' \\( -name a -o -name b \\) -print",
      'lsof -i :80 -nP',
      'lsof +D /var/log',
      'lsblk -o NAME,SIZE',
      'findmnt --target /',
      'diff -u a b',
      'diff <(ls a) <(ls b)',
      'cmp a b',
      'md5sum -c f',
      'realpath "$x"',
      'setcap -v cap f',
      'locate x',
    ],
    unknown: [
      'ls --frobnicate',
      'find $x -name a',
      'find "$x"',
      'find . -frob',
      'find . -exec {} \\;',
      "find . -exec sh -c '{}' \\;",
      'find . -name *',
      'fd -x rm',
      'file -m x f',
      'file -C -m x',
      'inotifywait -d x',
      './ls',
      '/tmp/ls',
      '/usr/local/bin/ls',
    ],
    mutating: [
      'find . -delete',
      'find . -de"le"te',
      "find . $'-delete'",
      'find . -fprintf f %p',
      'find . -exec rm {} +',
      'find . -okdir rm {} \\;',
      'tree -o f',
      'lsof -D b',
      'setcap cap f',
      'sdiff -o f a b',
      'find . -name x -exec chmod 755 {} \\;',
    ],
  },
} as const satisfies Family;
