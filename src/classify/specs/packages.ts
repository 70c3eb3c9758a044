import type { Family } from './types.js';

const DNF_FLAGS = {
  short: 'qvCybd:e:46',
  long: 'quiet verbose cacheonly assumeyes assumeno best nobest enablerepo: disablerepo: repo: repoid: exclude: releasever: showduplicates installed available upgrades updates extras obsoletes recent all refresh color: noplugins disableplugin: enableplugin: security bugfix advisory: cve: sec-severity: forcearch: nogpgcheck comment: debuglevel: errorlevel: allowerasing skip-broken latest-limit: info list requires: whatrequires whatprovides recursive resolve tree queryformat: qf: source location userinstalled leaves duplicates unneeded provides conflicts changelog changelogs: enabled disabled hidden ids file: arch: nvr nevra installed reverse exactdeps',
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
        'list info search provides whatprovides check-update check-upgrade check leaves advisory repolist repoinfo repoquery deplist changelog version updateinfo repoclosure repodiff resolvedep':
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
      style: 'words',
      requires:
        '-Q -Qi -Qii -Ql -Qlq -Qo -Qs -Qsq -Qe -Qet -Qeq -Qen -Qm -Qmq -Qn -Qd -Qdt -Qdtq -Qtdq -Qtd -Qt -Qtq -Qu -Quq -Qk -Qkk -Qc -Qp -Qpl -Qpi -Qg -Qq -Qqe -Qqen -Qqet -Qqm -Qqn -Qqdt -Qqd -Ss -Ssq -Si -Sii -Sl -Slq -Sg -Sgg -F -Fl -Fx -Fo -Fq -query',
      flags: {
        '-Q -Qi -Qii -Ql -Qlq -Qo -Qs -Qsq -Qe -Qet -Qeq -Qen -Qm -Qmq -Qn -Qd -Qdt -Qdtq -Qtdq -Qtd -Qt -Qtq -Qu -Quq -Qk -Qkk -Qc -Qp -Qpl -Qpi -Qg -Qq -Qqe -Qqen -Qqet -Qqm -Qqn -Qqdt -Qqd -Ss -Ssq -Si -Sii -Sl -Slq -Sg -Sgg -F -Fl -Fx -Fo -Fq -query -info -list -owns -explicit -deps -foreign -native -upgrades -unrequired -quiet -changelog -check -groups':
          'none',
      },
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
    eselect: {
      otherwise: 'mutating',
      subcommandAfter: '^[A-Za-z0-9_-]+$',
      subcommands: { 'list show help': {} },
      bare: 'read_only',
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
    'add-apt-repository apt-add-repository': { otherwise: 'mutating', requires: '-L --list', short: 'L', long: 'list' },
    'update-java-alternatives': { otherwise: 'mutating', requires: '-l --list', short: 'lv', long: 'list verbose' },
  },
  examples: {
    read_only: [
      'add-apt-repository --list',
      'dpkg -l',
      'dpkg -L bash',
      'dpkg --get-selections',
      'dpkg-query -W bash',
      'apt list --upgradable',
      'apt show nginx',
      'apt-get -s upgrade',
      'apt-get --simulate=true upgrade',
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
      'pacman -Ss x',
      'pacman --query --info bash',
      'apk info -vv',
      'snap list',
      'flatpak list',
    ],
    unknown: [
      'apt list -o APT::x=id',
      'apt-get -s -o x=y upgrade',
      'dnf --setopt=a=b list',
      'rpm -qa --pipe x',
      'npx x',
      'dnf shell',
      'rpm -q -E x',
    ],
    mutating: [
      'add-apt-repository ppa:x/y',
      'dpkg -i a.deb',
      'dpkg --configure -a',
      'apt update',
      'apt-get install -y nginx',
      'apt-get install --dry-run=no nginx',
      'apt-get -s --simulate=off install nginx',
      'apt-get --just-print=0 install nginx',
      'apt-get download nginx',
      'apt-mark hold nginx',
      'rpm -e x',
      'rpm --eval x',
      'rpm -qa --import k',
      'rpm --rebuilddb',
      'yum clean all',
      'dnf makecache',
      'dnf config-manager --set-enabled x',
      'pacman -Syu',
      'pacman -Qi -Syu',
      'pacman -S x',
      'pacman -Sys x',
      'apk add x',
      'snap install x',
      'zypper in x',
    ],
  },
} as const satisfies Family;
