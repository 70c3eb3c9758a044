import type { Family } from './types.js';

const DNF_FLAGS = {
  short: 'qvCybd:e:46',
  long: 'quiet verbose cacheonly assumeyes assumeno best nobest enablerepo: disablerepo: repo: repoid: exclude: releasever: showduplicates installed available upgrades updates extras obsoletes recent all refresh color: noplugins disableplugin: enableplugin: security bugfix advisory: cve: sec-severity: forcearch: nogpgcheck comment: debuglevel: errorlevel: allowerasing skip-broken latest-limit: info list requires: whatrequires whatprovides recursive resolve tree queryformat: qf: source location userinstalled leaves duplicates unneeded provides conflicts changelog changelogs: file: arch: nvr nevra installed reverse exactdeps',
} as const;

const APT_FLAGS = {
  short: 'q::anVysdim',
  long: 'quiet:: installed upgradable upgradeable all-versions manual-installed verbose full names-only recurse no-recommends important pre-depends depends suggests recommends no-all-versions generate no-generate assume-yes yes simulate just-print dry-run recon no-act print-uris show-progress no-install-recommends allow-unauthenticated default-release: target-release: autoremove auto-remove verbose-versions no-pre-depends no-depends no-suggests implicit installed',
  flags: {
    '-t': 'value',
    '-o -c --option --config-file': { arg: 'value', effect: 'unknown' },
    '-d --download-only': { arg: 'none', effect: 'unknown' },
  },
} as const;

const SIMULATE = '-s --simulate --just-print --dry-run --recon --no-act';

/** Package managers of the system and of */
export const PACKAGES = {
  effect: 'read_only',
  commands: {
    dpkg: {
      otherwise: 'mutating',
      requires:
        '-l -L -s -S -p -I -c -C -V --list --listfiles --status --search --print-avail --info --contents --audit --verify --get-selections --print-architecture --print-foreign-architectures --compare-versions --yet-to-unpack --field -f',
      style: 'posix',
      short: 'lLsSpIcCVf',
      long: 'list listfiles status search print-avail info contents audit verify get-selections print-architecture print-foreign-architectures compare-versions yet-to-unpack field no-pager admindir: root: instdir:',
    },
    'dpkg-query': {
      style: 'posix',
      short: 'lLsSpWcf:',
      long: 'list listfiles status search print-avail show control-path control-list control-show showformat: admindir: no-pager load-avail',
    },
    'dpkg-deb': {
      otherwise: 'mutating',
      requires: '-I -c -f -W --info --contents --field --show',
      style: 'posix',
      short: 'IcfW',
      long: 'info contents field show showformat:',
    },
    'apt apt-get': {
      ...APT_FLAGS,
      everywhere: true,
      subcommands: {
        'list show search policy depends rdepends showsrc changelog moo madison pkgnames': {},
        'install remove purge upgrade dist-upgrade full-upgrade autoremove reinstall build-dep autopurge satisfy check dselect-upgrade':
          { effect: 'mutating', simulate: SIMULATE },
        'update edit-sources clean autoclean auto-clean distclean download source': 'mutating',
        help: {},
      },
    },
    'apt-cache': {
      ...APT_FLAGS,
      everywhere: true,
      subcommands: {
        'show search policy depends rdepends showpkg madison pkgnames stats dump dumpavail unmet showsrc': {},
        'gencaches add': 'mutating',
      },
    },
    'apt-mark': {
      subcommands: {
        'showauto showmanual showhold showinstall showremove showpurge': {},
        'hold unhold auto manual': 'mutating',
      },
    },
    'apt-config': { subcommands: { dump: {} } },
    'apt-file': {
      subcommands: {
        'search find list show': { short: 'xlFia:', long: 'regexp package-only fixed-string ignore-case' },
        update: 'mutating',
      },
    },
    'apt-key': { subcommands: { 'list finger exportall': {}, 'add del adv net-update update': 'mutating' } },
    aptitude: {
      short: 'F:w:O:q',
      everywhere: true,
      subcommands: {
        'search show versions why why-not changelog': {},
        'install remove purge upgrade full-upgrade safe-upgrade update hold unhold clean autoclean markauto unmarkauto forbid-version download build-dep reinstall':
          'mutating',
      },
    },
    'apt-clone': { subcommands: { 'info show-diff': {}, 'clone restore restore-new-distro': 'mutating' } },
    'unattended-upgrade unattended-upgrades': { effect: 'mutating' },
    rpm: {
      otherwise: 'mutating',
      requires: '-q -K --query --checksig --querytags --showrc',
      short: 'qaifplcdsKRv',
      long: 'query all info file package list configfiles docfiles state checksig querytags showrc requires provides conflicts obsoletes suggests recommends supplements enhances whatprovides whatrequires whatrecommends whatconflicts scripts triggers changelog last queryformat: qf: group: dump verbose nosignature nodigest path: fileid: filesbypkg licensefiles artifactfiles changes',
      flags: {
        '-E --eval -D --define --macros --rcfile --pipe --load --dbpath --root -r --specfile --nodeps': {
          arg: 'value',
          effect: 'unknown',
        },
        '-V --verify': { arg: 'none', effect: 'unknown' },
      },
    },
    'dnf dnf5 yum tdnf microdnf': {
      ...DNF_FLAGS,
      everywhere: true,
      otherwise: 'unknown',
      flags: {
        '--setopt --config -c --installroot': { arg: 'value', effect: 'unknown' },
        '--downloadonly --downloaddir --destdir': { arg: 'optional', effect: 'mutating' },
      },
      subcommands: {
        'list info search provides whatprovides check-update check-upgrade repolist repoinfo repoquery deplist changelog version updateinfo repoclosure repodiff resolvedep':
          {},
        'install remove erase upgrade update downgrade reinstall autoremove distro-sync upgrade-minimal update-minimal swap localinstall localupdate groupinstall groupremove groupupdate makecache clean mark download builddep build-dep reposync offline-upgrade system-upgrade-reboot copr':
          'mutating',
        history: {
          bare: 'read_only',
          subcommands: { 'list info userinstalled': {}, 'undo redo rollback store replay': 'mutating' },
        },
        'group groups grp': {
          bare: 'read_only',
          subcommands: {
            'list info summary': { flags: { '--hidden --ids -v': 'none' } },
            'install remove upgrade mark': 'mutating',
          },
        },
        module: {
          subcommands: { 'list info provides': {}, 'enable disable install remove reset update switch-to': 'mutating' },
        },
        versionlock: { bare: 'read_only', subcommands: { list: {}, 'add delete exclude clear': 'mutating' } },
        'config-manager': {
          otherwise: 'mutating',
          requires: '--dump --dump-variables',
          flags: { '--dump --dump-variables': 'none' },
        },
        'system-upgrade': { subcommands: { 'status log': {}, 'download reboot clean upgrade': 'mutating' } },
        'needs-restarting': { short: 'rsu', long: 'reboothint services' },
        shell: 'unknown',
      },
    },
    repoquery: { ...DNF_FLAGS, flags: { '--setopt --config -c --installroot': { arg: 'value', effect: 'unknown' } } },
    zypper: {
      everywhere: true,
      short: 'qvnxA',
      flags: {
        '-v -vv': 'none',
        '-i -u -r -t -s -d': 'optional',
        '-c --config --root -R --installroot': { arg: 'value', effect: 'unknown' },
      },
      long: 'quiet verbose non-interactive xmlout no-refresh no-color sort-by-priority sort-by-name sort-by-uri sort-by-alias uri priority details refresh name match-exact match-words match-substrings installed-only not-installed-only provides requires conflicts file-list search-descriptions type: repo: all orphaned recommended unneeded category: severity:',
      subcommands: {
        'search se info if repos lr list-updates lu list-patches lp patch-check pchk packages pa patterns pt products pd services ls what-provides wp locks ll targetos tos versioncmp vcmp patch-info pattern-info product-info licenses needs-rebooting ps system-architecture':
          {},
        'install in remove rm update up dist-upgrade dup patch addrepo ar removerepo rr renamerepo nr modifyrepo mr refresh ref clean cc addlock al removelock rl cleanlocks cl verify ve source-install si addservice as removeservice rs modifyservice ms refresh-services refs install-new-recommends inr purge-kernels download':
          'mutating',
      },
    },
    'pacman yay paru': {
      otherwise: 'mutating',
      requires: '-Q -F --query',
      short: 'QFiklmnoqsuegtcpdlvx',
      flags: { '-S -R -U -D -y -w -T': { arg: 'none', effect: 'mutating' } },
      long: 'query info list owns search foreign explicit deps upgrades unrequired quiet changelog check groups native',
    },
    apk: {
      everywhere: true,
      short: 'vqaoedlRrtPw',
      long: 'verbose quiet installed available description exact all depends who-owns contents size rdepends license triggers webpage',
      subcommands: {
        'info list search policy version dot stats audit manifest': {},
        'add del fix update upgrade cache fetch index': 'mutating',
      },
    },
    snap: {
      bare: 'read_only',
      subcommands: {
        'list info find changes tasks version services connections interfaces get known model whoami warnings logs': {
          short: 'dn:',
          long: 'all unicode: color: verbose abs-time narrow private section:: last:',
        },
        'install remove refresh revert enable disable start stop restart set unset connect disconnect switch alias unalias login logout create-cohort abort ack':
          'mutating',
        'run try': 'unknown',
      },
    },
    flatpak: {
      everywhere: true,
      short: 'udv',
      long: 'user system installation: columns: app runtime all arch: show-ref show-commit show-origin show-size show-metadata show-permissions show-details',
      subcommands: {
        'list info search remotes remote-ls remote-info history ps documents permissions permission-show config': {},
        'install uninstall update remote-add remote-delete remote-modify override make-current repair mask pin':
          'mutating',
        run: 'unknown',
      },
    },
    equery: { subcommands: { 'list belongs files depends depgraph uses which size check hasuse meta': {} } },
    qlist: { short: 'ISvCeU' },
    emerge: {
      otherwise: 'mutating',
      requires: '-s -S -p --search --searchdesc --pretend --info',
      short: 'sSpv',
      long: 'search searchdesc pretend info verbose',
    },
    'pkg_info pkginfo': {},
    'xbps-query': { short: 'lLHmOoRsSfxXp:i', long: 'list-pkgs list-manual-pkgs list-orphans search' },
    urpmq: { short: 'ilfadR' },
    eselect: { otherwise: 'mutating', subcommandAt: 1, subcommands: { 'list show help': {} }, bare: 'read_only' },
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
        'list info why outdated versions licenses audit': {},
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
      subcommands: {
        'search info version locate-project pkgid': {
          long: 'limit: verbose workspace registry: index: color: message-format:',
          short: 'v',
        },
        'metadata tree': {
          requires: '--no-deps --locked --frozen',
          long: 'no-deps format-version: no-dedupe invert: depth: offline locked frozen duplicates edges: prefix: all-features workspace package: manifest-path: target:',
          short: 'i:de:p:',
          flags: { '-i': 'optional' },
        },
        install: { otherwise: 'mutating', requires: '--list', long: 'list' },
        report: { subcommands: { 'future-incompatibilities future-incompat': { long: 'id: package:', short: 'p:' } } },
        'add remove rm build b new init clean update fix publish yank owner login logout package vendor uninstall generate-lockfile check c doc d rustc rustdoc fetch':
          'mutating',
        'run r test t bench': 'unknown',
        help: {},
      },
    },
    go: {
      subcommands: {
        'version env list doc': {
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
    'brew port': {
      subcommands: {
        'list ls info search deps uses leaves outdated doctor config desc log cat': {
          long: 'versions formula cask json:: verbose installed tree full-name pinned',
          short: '1lrt',
        },
        'install uninstall upgrade update cleanup tap untap link unlink pin unpin reinstall services': 'mutating',
      },
    },
    debsums: { short: 'acels', long: 'all changed config silent' },
    deborphan: { short: 'aszdnP', long: 'all-packages guess-all' },
    ucfq: {},
    checkrestart: {},
  },
  examples: {
    read_only: [
      'dpkg -l',
      'dpkg -L bash',
      'dpkg --get-selections',
      'dpkg-query -W bash',
      'apt list --upgradable',
      'apt show nginx',
      'apt-get -s upgrade',
      'apt-get upgrade --dry-run',
      'apt-cache policy nginx',
      'apt-mark showhold',
      'rpm -qa',
      'rpm -qf /bin/ls',
      'rpm -qi bash',
      'yum list installed',
      'dnf check-update',
      'dnf -q history list',
      'dnf list --installed',
      'zypper lr -d',
      'pacman -Qi bash',
      'apk info -vv',
      'snap list',
      'pip list --outdated',
      'pip show -f x',
      'npm ls -g --depth=0',
      'gem list',
      'cargo --version',
      'flatpak list',
    ],
    unknown: [
      'apt list -o APT::x=id',
      'apt-get -s -o x=y upgrade',
      'dnf --setopt=a=b list',
      'rpm -qa --pipe x',
      'npm run x',
      'npx x',
      'dnf shell',
      'rpm -q -E x',
      'composer show',
    ],
    mutating: [
      'dpkg -i a.deb',
      'dpkg --configure -a',
      'apt update',
      'apt-get install -y nginx',
      'apt-get download nginx',
      'apt-mark hold nginx',
      'rpm -e x',
      'rpm --eval x',
      'rpm -qa --import k',
      'rpm --rebuilddb',
      'yum clean all',
      'dnf makecache',
      'dnf config-manager --set-enabled x',
      'pip install x',
      'npm ci',
      'npm version major',
      'npm audit fix',
      'pacman -Syu',
      'apk add x',
      'snap install x',
      'gem install x',
      'zypper in x',
    ],
  },
} as const satisfies Family;
