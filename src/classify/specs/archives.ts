import type { Family } from './types.js';

const COMPRESS_LIST = {
  otherwise: 'mutating',
  short: 'ltvqLkcdfV',
  long: 'list test verbose quiet stdout to-stdout decompress keep force',
  requires: '-l -t -c --list --test --stdout --to-stdout',
} as const;

/** Archives: listing and testing read; all else writes. */
export const ARCHIVES = {
  effect: 'read_only',
  commands: {
    'tar bsdtar gtar': {
      otherwise: 'unknown',
      bundled: true,
      requires: '-t -d --list --diff --compare',
      short: 'tdvzjJaZRwGinsSplV:C:X:b:K:N:L:',
      flags: {
        // A line of the list may be an option.
        '-T --files-from': { arg: 'value', effect: 'unknown' },
        '-f --file': { arg: 'value', match: '^[^:]*$', effect: 'unknown' },
        '-x -c -r -u -A --extract --get --create --append --update --catenate --concatenate --delete': {
          arg: 'none',
          effect: 'mutating',
        },
        '-I -F -l --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command --index-file --remove-files':
          { arg: 'value', effect: 'unknown' },
      },
      long: 'list diff compare verbose gzip gunzip bzip2 xz zstd lzma lzip auto-compress directory: exclude: exclude-from: wildcards no-wildcards full-time numeric-owner strip-components: show-transformed-names anchored ignore-case block-number quoting-style: utc totals warning:',
    },
    unzip: {
      otherwise: 'mutating',
      short: 'lvZtqC1smhTz',
      requires: '-l -v -Z -t -z',
      flags: { '-T': { arg: 'none', effect: 'unknown' }, '-p -c': 'none', '-x': 'none' },
    },
    zipinfo: { short: '12smlhMtTzv' },
    'gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd pigz': COMPRESS_LIST,
    '7z 7za 7zr 7zz': {
      subcommands: {
        'l t i': { style: 'words', flags: { '-slt -r -ba -y -bd': 'none' } },
        h: {},
        'a d e rn u x b': 'mutating',
      },
    },
    unrar: { otherwise: 'mutating', subcommands: { 'l lb lt lta v vb vt t': {}, 'x e p': 'mutating' } },
    cpio: {
      otherwise: 'mutating',
      requires: '-t --list',
      short: 'tvnF:',
      long: 'list verbose numeric-uid-gid quiet',
      flags: { '-I --file -F': { arg: 'value', match: '^[^:]*$', effect: 'unknown' }, '-i --extract': 'none' },
    },
    ar: { bundled: true, otherwise: 'mutating', requires: '-t -p', short: 'tpvO' },
    'lsinitramfs lsinitrd': { short: 'lmk:s' },
  },
  examples: {
    read_only: [
      'ar t a.a',
      'ar -p a b',
      'tar tf a.tar',
      'tar -tzvf a.tgz',
      'tar --list -f a',
      'tar tvf a.tgz -C /x',
      'unzip -l a.zip',
      'gzip -l a.gz',
      'xz --list a.xz',
      'gunzip -c a.gz',
      '7z l a.7z',
      'zipinfo a.zip',
      'cpio -tv',
    ],
    unknown: [
      'tar -tf a -T x',
      "tar -tf a -I 'sh -c id'",
      'tar tf a --to-command=x',
      'tar tf host:/x',
      'tar tf h:/x --rsh-command=/x',
      'tar tf a --checkpoint=1 --checkpoint-action=exec=sh',
      'unzip -l x.zip -TT sh',
      'tar --help x',
    ],
    mutating: [
      'ar r a b',
      'tar xf a',
      'tar -czf a b',
      'tar tf a --delete b',
      'unzip a.zip',
      'gzip f',
      'xz -d f.xz',
      'gunzip a.gz',
      '7z x a.7z',
      'zip a b',
      'tar -x -t -f a',
    ],
  },
} as const satisfies Family;
