import type { Family } from './types.js';

/** Package managers of programming languages. */
export const LANGUAGE_PACKAGES = {
  effect: 'read_only',
  commands: {
    pip: {
      everywhere: true,
      short: 'vqlfi:',
      flags: { '--python': { arg: 'value', effect: 'unknown' } },
      long: 'verbose quiet no-color disable-pip-version-check no-input timeout: index-url: extra-index-url: format: outdated uptodate local user all editable not-required files include-editable exclude: exclude-editable pre path: isolated trusted-host: index: platform: python-version: implementation: abi: ignore-requires-python verbose proxy: cert:',
      subcommands: {
        'list show freeze check search inspect debug': {},
        index: { subcommands: { versions: {} } },
        config: {
          subcommands: {
            'list get debug': { flags: { '--global --user --site': 'none' } },
            'set unset edit': 'mutating',
          },
        },
        cache: { subcommands: { 'dir info list': {}, 'remove purge': 'mutating' } },
        'install uninstall download wheel lock': 'mutating',
        'hash help': {},
      },
    },
    pip3: {
      everywhere: true,
      short: 'vqlfi:',
      long: 'verbose quiet no-color disable-pip-version-check format: outdated uptodate local user all files index-url:',
      subcommands: { 'list show freeze check search inspect': {}, 'install uninstall download wheel': 'mutating' },
    },
    pipx: {
      subcommands: {
        'list environment': { long: 'short json include-injected verbose' },
        'install uninstall upgrade upgrade-all inject reinstall uninstall-all reinstall-all uninject ensurepath':
          'mutating',
        run: 'unknown',
      },
    },
    'conda mamba': {
      subcommands: {
        'list info search': { short: 'n:p:a', long: 'name: prefix: all json envs revisions export explicit' },
        env: { subcommands: { list: {}, 'create remove update': 'mutating' } },
        'install remove update create clean uninstall': 'mutating',
        run: 'unknown',
      },
    },
    uv: {
      subcommands: {
        'version self': { operands: { max: 0 } },
        pip: {
          subcommands: {
            'list show freeze check tree': { long: 'outdated format: verbose files' },
            'install uninstall sync compile': 'mutating',
          },
        },
        tree: 'unknown',
        'add remove sync lock init venv': 'mutating',
        run: 'unknown',
      },
    },
    npm: {
      everywhere: true,
      short: 'gaslqdpJw:',
      long: 'global all long json parseable depth: registry: production prod dev omit: include: workspace: workspaces scope: author: silent link package-lock-only loglevel: unicode: offline prefer-offline versions description searchlimit: searchexclude: searchopts: which: diff: diff-name-only diff-unified:',
      flags: {
        '--prefix': 'value',
        '--userconfig --globalconfig --script-shell --node-options --git --browser --viewer --editor': {
          arg: 'value',
          effect: 'unknown',
        },
      },
      subcommands: {
        'list ls ll la view v info show search s se find outdated explain why query root prefix bin whoami ping fund help-search stars sbom find-dupes diff':
          {},
        audit: { operands: { max: 0 }, otherwise: 'mutating' },
        config: { subcommands: { 'list ls get': {}, 'set delete edit fix': 'mutating' } },
        get: {},
        cache: { subcommands: { ls: {}, 'add clean rm clear verify': 'mutating' } },
        'dist-tag dist-tags': { bare: 'read_only', subcommands: { ls: {}, 'add rm': 'mutating' } },
        access: { subcommands: { 'list get': {}, 'set grant revoke': 'mutating' } },
        team: { subcommands: { ls: {}, 'create destroy add rm': 'mutating' } },
        org: { subcommands: { ls: {}, 'set rm': 'mutating' } },
        owner: { subcommands: { ls: {}, 'add rm': 'mutating' } },
        token: { subcommands: { list: {}, 'create revoke': 'mutating' } },
        profile: { subcommands: { get: {}, 'set enable-2fa disable-2fa': 'mutating' } },
        version: { operands: { max: 0 }, otherwise: 'mutating' },
        pkg: { subcommands: { get: {}, 'set delete fix': 'mutating' } },
        'completion doctor': {},
        help: {},
        'install i add ci install-test it uninstall un rm remove r update up upgrade dedupe prune rebuild link ln pack publish unpublish deprecate init create set star unstar login logout adduser shrinkwrap hook':
          'mutating',
        'run run-script exec x test t start stop restart explore edit': 'unknown',
      },
    },
    yarn: {
      everywhere: true,
      long: 'json depth: pattern: silent',
      subcommands: {
        // The project's own settings may name the program that is run instead.
        'list info why outdated versions licenses audit': 'unknown',
        'add remove install upgrade global cache link unlink publish pack init': 'mutating',
        'run exec dlx node create': 'unknown',
      },
    },
    pnpm: {
      everywhere: true,
      short: 'gDPr',
      long: 'global depth: json long parseable prod dev recursive filter:',
      subcommands: {
        'list ls ll why outdated root bin licenses': {},
        audit: { operands: { max: 0 } },
        'add install i remove rm update up import prune publish link unlink rebuild store': 'mutating',
        'run exec dlx test start create': 'unknown',
      },
    },
    gem: {
      subcommands: {
        'list search which environment env contents specification dependency outdated info stale query help': {
          short: 'arldenv:i',
          long: 'all remote local details exact both prerelease versions installed version:',
        },
        'install uninstall update cleanup pristine push yank build fetch unpack rdoc lock sources': 'mutating',
        exec: 'unknown',
      },
    },
    composer: {
      long: 'no-interaction quiet',
      subcommands: {
        'show info search outdated licenses depends why prohibits why-not diagnose check-platform-reqs fund suggests': {
          effect: 'unknown',
        },
        'install update require remove create-project dump-autoload clear-cache self-update init config': 'mutating',
      },
    },
    cargo: {
      requires: '--list -V',
      short: 'Vv',
      long: 'list verbose',
      subcommands: {
        'search info version locate-project pkgid': {
          long: 'limit: verbose workspace registry: index: color: message-format:',
          short: 'v',
        },
        install: { otherwise: 'mutating', requires: '--list', long: 'list' },
        report: { subcommands: { 'future-incompatibilities future-incompat': { long: 'id: package:', short: 'p:' } } },
        'add remove rm build b new init clean update fix publish yank owner login logout package vendor uninstall generate-lockfile check c doc d rustc rustdoc fetch':
          'mutating',
        'run r test t bench metadata tree': 'unknown',
        help: {},
      },
    },
    go: {
      subcommands: {
        'version env doc': {
          style: 'words',
          flags: {
            '-m -json -f -deps -u -versions -v -all': 'optional',
            '-w -u -mod -modfile -toolexec -overlay -exec': { arg: 'value', effect: 'mutating' },
          },
        },
        'get install mod build clean fmt fix work': 'mutating',
        'run test generate tool vet': 'unknown',
      },
    },
  },
  examples: {
    read_only: ['pip list --outdated', 'pip show -f x', 'npm ls -g --depth=0', 'gem list', 'cargo --version'],
    unknown: ['npm run x', 'composer show'],
    mutating: ['pip install x', 'npm ci', 'npm version major', 'npm audit fix', 'gem install x'],
  },
} as const satisfies Family;
