import type { Family } from './types.js';

const VERSION = {
  otherwise: 'unknown',
  style: 'words',
  requires: '-V -v -version --version',
  flags: { '-V -v -version': 'none' },
  operands: { max: 0 },
} as const;

/** Interpreters and build tools: their version, else code that cannot be seen. */
export const DEVELOPMENT = {
  effect: 'read_only',
  commands: {
    'python python2 python3 node nodejs php lua java gcc g++ cc clang rustc ghc make cmake mvn gradle ansible-playbook Rscript julia deno bun tsc dotnet erl elixir':
      VERSION,
    'perl ruby': {
      requires: '-v -V',
      short: 'vV',
      flags: {
        '-i': { arg: 'optional', effect: 'mutating' },
        '-e -E -p -n -l -a -0 -w -M -m -I -F -r -c': { arg: 'none', effect: 'unknown' },
      },
      operands: { max: 0 },
    },
    rustup: {
      subcommands: {
        'show which': { short: 'v' },
        'toolchain target component override': {
          subcommands: {
            list: { long: 'installed verbose' },
            'install uninstall add remove set unset link': 'mutating',
          },
        },
        'update install default self': 'mutating',
        run: 'unknown',
      },
    },
    jps: { short: 'lmvqV' },
    jstat: {
      style: 'words',
      flags: {
        '-class -compiler -gc -gccapacity -gccause -gcmetacapacity -gcnew -gcnewcapacity -gcold -gcoldcapacity -gcutil -printcompilation -t -options':
          'none',
        '-h': 'optional',
      },
    },
    'msgfmt xgettext': { effect: 'unknown' },
    xmlstarlet: { effect: 'unknown' },
    tokei: { style: 'words', flags: { '-f -files': 'none', '-e -exclude -t -type -s -sort -o -output': 'value' } },
    'cloc scc': { effect: 'unknown' },
    shellcheck: {
      short: 'axs:e:f:S:i:o:P:W:C',
      flags: { '-C': 'optional' },
      long: 'check-sourced external-sources shell: exclude: format: severity: include: enable: wiki-link-count: color::',
    },
    'pdfinfo pdffonts': { short: 'f:l:bu', long: '' },
    mediainfo: { long: 'Full' },
    ffprobe: { effect: 'unknown' },
    identify: { effect: 'unknown' },
    whatis: { short: 'wrls:' },
  },
  examples: {
    read_only: [
      'python3 --version',
      'node -v',
      'java -version',
      'perl -v',
      'gcc --version',
      'make --version',
      'shellcheck f.sh',
    ],
    unknown: [
      'python3 -c "print(1)"',
      'perl -e 1',
      'node -e 1',
      'python3 -m http.server',
      'make -n',
      'java -version Foo',
      'javac -version',
      'ruby -v f.rb',
    ],
    mutating: ['perl -v -i f', 'perl -pi -e 1 f', 'python3 -c 1 > f'],
  },
} as const satisfies Family;
