import type { Family } from './types.js';

const UNSEEN = { arg: 'value', effect: 'unknown' } as const;

/** What log, show, diff and their kin take. Not --ext-diff and --textconv, which run programs of the repository's config. */
const LOG = {
  numeric: true,
  short: 'pusUzRabwWMCDlGSOqinEFPcLgm0t1',
  flags: {
    '-U -M -C -B -X -l': 'optional',
    '-n -S -G -L -O': 'value',
    '-D': 'none',
    '--output --output-directory': { arg: 'value', effect: 'mutating' },
    '--ext-diff --textconv --show-signature': { arg: 'none', effect: 'unknown' },
    '--no-ext-diff --no-textconv': 'none',
  },
  long: 'verbose oneline graph all decorate:: no-decorate decorate-refs: stat:: shortstat numstat dirstat:: summary patch no-patch patch-with-stat raw name-only name-status cached staged merge-base diff-filter: color:: no-color word-diff:: word-diff-regex: color-words:: unified: minimal patience histogram diff-algorithm: anchored: indent-heuristic full-index binary abbrev:: abbrev-commit no-abbrev-commit find-renames:: find-copies:: find-copies-harder no-renames ignore-space-at-eol ignore-all-space ignore-space-change ignore-blank-lines ignore-cr-at-eol ignore-submodules:: submodule:: check exit-code quiet relative:: function-context inter-hunk-context: pickaxe-all pickaxe-regex pretty:: format: date: relative-date since: after: until: before: author: committer: grep: invert-grep all-match regexp-ignore-case extended-regexp fixed-strings perl-regexp merges no-merges first-parent max-count: skip: reverse follow full-diff topo-order date-order author-date-order branches:: tags:: remotes:: glob: exclude: left-right left-only right-only cherry cherry-mark cherry-pick boundary simplify-by-decoration full-history dense sparse ancestry-path:: parents children walk-reflogs no-walk:: do-walk notes:: no-notes source use-mailmap log-size min-parents: max-parents: no-prefix src-prefix: dst-prefix: line-prefix: text compact-summary expand-tabs:: no-expand-tabs encoding: cc combined-all-paths remerge-diff diff-merges: no-diff-merges root no-index base ours theirs reflog single-worktree ignore-missing stdin objects count timestamp no-commit-id always r',
} as const;

const SHOW_REFS = {
  short: 'rqdh',
  long: 'heads head branches tags refs verify abbrev:: hash:: dereference quiet exclude-existing:: exists get-url sort: symref exit-code server-option:',
} as const;

/** git: what reads history and objects. `status` is left out: it refreshes the index and may run the fsmonitor hook. */
export const GIT = {
  effect: 'read_only',
  commands: {
    git: {
      short: 'C:P',
      flags: {
        '--no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --bare --version --no-lazy-fetch --no-advice':
          'none',
        '-c -p --paginate --git-dir --work-tree --exec-path --namespace --super-prefix --config-env --attr-source':
          UNSEEN,
      },
      subcommands: {
        'log show diff diff-tree diff-files diff-index whatchanged rev-list range-diff cherry': LOG,
        shortlog: {
          ...LOG,
          short: 'nsecwpq',
          flags: {
            '-n': 'none',
            '-w': 'optional',
            '--numbered --summary --email --group': 'optional',
            '--committer': 'none',
          },
        },
        reflog: {
          ...LOG,
          bare: 'read_only',
          subcommands: { show: LOG, list: {}, exists: {}, 'expire delete drop': 'mutating' },
        },
        blame: {
          short: 'blstfnewpcML:CS:h',
          flags: {
            '-M -C': 'optional',
            '--contents': 'value',
            '--textconv': UNSEEN,
            '-S': 'value',
            '--reverse': 'none',
          },
          long: 'root show-stats incremental porcelain line-porcelain date: since: show-name show-number show-email score-debug encoding: abbrev: color-lines color-by-age first-parent ignore-rev: ignore-revs-file: minimal progress no-progress',
        },
        annotate: { short: 'lL:e' },
        'ls-files': {
          short: 'cdmoistkuzvfx:X:',
          flags: {
            '-t -v -f': 'none',
            '--exclude-per-directory --exclude --exclude-from --with-tree --abbrev --format': 'value',
          },
          long: 'cached deleted modified others ignored stage unmerged killed directory no-empty-directory eol deduplicate debug error-unmatch full-name recurse-submodules exclude-standard sparse resolve-undo',
        },
        'ls-tree': {
          short: 'drtlz',
          long: 'long name-only name-status object-only full-name full-tree abbrev:: format:',
        },
        'ls-remote': {
          ...SHOW_REFS,
          short: 'htqb',
          flags: { '--upload-pack --exec': UNSEEN },
          operands: {
            match: '^(?:(?:https?|ssh|git)://[A-Za-z0-9][^]*|git@[A-Za-z0-9][^]*|[A-Za-z0-9_.*][A-Za-z0-9_./*-]*)$',
          },
        },
        'show-ref show-branch': { ...SHOW_REFS, short: 'dqrvsh' },
        'for-each-ref': {
          numeric: true,
          short: 's',
          long: 'count: sort: format: points-at: merged:: no-merged:: contains:: no-contains:: ignore-case color:: shell perl python tcl omit-empty exclude: include-root-refs start-after:',
        },
        'cat-file': {
          short: 'tpsez',
          long: 'batch:: batch-check:: batch-all-objects follow-symlinks buffer unordered allow-unknown-type',
          flags: { '--textconv --filters': UNSEEN },
        },
        'rev-parse': {
          short: 'q',
          long: 'verify short:: abbrev-ref:: symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches:: tags:: remotes:: revs-only no-revs flags no-flags default: not show-superproject-working-tree path-format: git-path: show-object-format:: disambiguate: since: after: until: before: local-env-vars quiet',
        },
        'name-rev': { long: 'tags refs: exclude: all name-only no-undefined always annotate-stdin stdin' },
        describe: {
          long: 'all tags contains abbrev: candidates: exact-match debug long match: exclude: always first-parent',
          flags: { '--dirty --broken': { arg: 'optional', effect: 'unknown' } },
        },
        'merge-base': { short: 'a', long: 'all octopus independent is-ancestor fork-point' },
        'check-ignore check-attr check-mailmap check-ref-format': {
          short: 'qvnaz',
          long: 'quiet verbose non-matching no-index all cached source: stdin branch allow-onelevel refspec-pattern normalize',
        },
        fsck: {
          long: 'full no-full strict no-dangling unreachable root tags verbose cache no-reflogs connectivity-only progress no-progress name-objects',
        },
        'patch-id stripspace column': {
          short: 'sc',
          long: 'stable unstable strip-comments mode: raw-mode: width: indent: nl: padding:',
        },
        'count-objects': { short: 'vH', long: 'verbose human-readable' },
        'verify-pack': { short: 'vs', long: 'verbose stat-only' },
        'var version help': {
          short: 'lagw',
          flags: { '-w --web': UNSEEN },
          long: 'all guides config info man build-options user-interfaces developer-interfaces aliases external-commands',
        },
        grep: {
          numeric: true,
          short: 'anIirwvhHEGFPclLoqzWpt5',
          flags: {
            '-O --open-files-in-pager --ext-grep --textconv': UNSEEN,
            '-A -B -C -e -f -m': 'value',
            '--after-context --before-context --context --max-depth --max-count --threads': 'value',
          },
          long: 'cached untracked no-index recurse-submodules text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color:: no-color break heading show-function function-context and or not all-match quiet exclude-standard no-exclude-standard recursive no-recursive',
        },
        branch: {
          otherwise: 'mutating',
          short: 'avrqi',
          long: 'all verbose remotes list show-current contains: no-contains: merged:: no-merged:: points-at: sort: format: color:: no-color column:: no-column ignore-case abbrev: no-abbrev',
          operands: { max: 0, unless: '--list' },
        },
        tag: {
          otherwise: 'mutating',
          short: 'l',
          flags: { '-n': 'optional' },
          long: 'list contains: no-contains: merged: no-merged: points-at: sort: format: color:: column:: no-column ignore-case',
          operands: { max: 0, unless: '-l --list' },
        },
        remote: {
          bare: 'read_only',
          short: 'v',
          long: 'verbose',
          subcommands: {
            'get-url': { long: 'push all' },
            show: { short: 'n', operands: { match: '^[A-Za-z0-9_.-]+$' } },
            'add rename remove rm set-head set-branches set-url prune update': 'mutating',
          },
        },
        config: {
          otherwise: 'mutating',
          short: 'lz',
          long: 'list get get-all get-regexp get-urlmatch global system local worktree file: blob: name-only show-origin show-scope type: bool int path null includes no-includes default: fixed-value',
          operands: {
            max: 1,
            match: '^(?:list|[A-Za-z0-9-]+[.]\\S+)$',
            unless: '--get --get-all --get-regexp --get-urlmatch',
          },
        },
        stash: {
          subcommands: { list: LOG, show: LOG, 'push pop apply drop clear create store save branch': 'mutating' },
          bare: 'mutating',
          otherwise: 'mutating',
        },
        notes: {
          bare: 'read_only',
          long: 'ref:',
          subcommands: { 'list show get-ref': {}, 'add copy append edit merge remove prune': 'mutating' },
        },
        worktree: {
          subcommands: {
            list: { short: 'vz', long: 'porcelain verbose expire:' },
            'add move remove prune lock unlock repair': 'mutating',
          },
        },
        submodule: {
          bare: 'read_only',
          short: 'q',
          long: 'quiet cached',
          subcommands: {
            status: { long: 'cached recursive' },
            summary: 'unknown',
            'add init deinit update set-branch set-url sync absorbgitdirs': 'mutating',
            foreach: 'unknown',
          },
        },
        bundle: { subcommands: { 'list-heads verify': { short: 'q', long: 'quiet' }, 'create unbundle': 'mutating' } },
        lfs: {
          subcommands: {
            'ls-files env version locks': { short: 'las', long: 'long all size name-only' },
            'fetch pull push install uninstall track untrack checkout migrate prune lock unlock': 'mutating',
          },
        },
        archive: { otherwise: 'mutating', requires: '-l --list', short: 'l', long: 'list', operands: { max: 0 } },
        bisect: {
          subcommands: {
            'log view': { operands: { max: 0 } },
            'start good bad new old skip reset replay terms': 'mutating',
            run: 'unknown',
          },
        },
        'add am apply checkout cherry-pick clean clone commit fetch filter-branch gc init merge mv pull prune push rebase reset restore revert rm switch update-index update-ref symbolic-ref write-tree read-tree commit-tree pack-refs repack replace fast-import maintenance sparse-checkout subtree svn p4 checkout-index commit-graph update-server-info filter-repo unpack-objects hash-object mktag mktree format-patch send-email multi-pack-index prune-packed':
          'mutating',
        'status difftool mergetool instaweb gui gitk': 'unknown',
      },
    },
    tig: { effect: 'unknown' },
    svn: {
      subcommands: {
        'info list ls log cat blame annotate praise ann proplist propget': {
          short: 'r:l:vqugG',
          long: 'revision: limit: verbose quiet stat template: rev: graph xml depth:',
        },
        'commit ci update up checkout co add delete del remove rm revert merge copy cp move mv import export switch lock unlock cleanup push pull clone init tag branch rebase strip purge propset pdel':
          'mutating',
      },
    },
  },
  examples: {
    read_only: [
      'git reflog -n 10',
      'git log --oneline -5',
      'git fsck',
      'git config list',
      'git config user.name',
      "git tag -l 'v1*'",
      "git branch --list 'x*'",
      'git -C /srv/app log -p --stat',
      'git show HEAD',
      'git diff HEAD~1 -- f',
      'git --no-pager diff --cached',
      'git blame -L 1,5 f',
      'git branch -a',
      'git branch --contains x',
      'git tag',
      'git tag -l --sort=-v:refname',
      'git remote -v',
      'git config --list',
      'git config --get user.name',
      'git rev-parse HEAD',
      'git ls-files',
      'git grep -n x',
      'git stash list',
      'git ls-remote https://h/a',
      'git shortlog -sn',
      'git reflog',
      'git describe --tags',
      'git gc --help',
    ],
    unknown: [
      'git fsck --lost-found',
      'git status',
      'git -c a=b log',
      'git -p log',
      'git --git-dir=/x log',
      'git diff --ext-diff',
      'git show --textconv',
      'git grep -O/x y',
      'git grep --open-files-in-pager=x y',
      'git ls-remote ext::sh',
      'git remote show ext::sh',
      'git ls-remote --upload-pack=x h',
      'git frob',
      'git log $x',
      'git bisect run x',
      'git "$x"',
    ],
    mutating: [
      'git pull',
      'git config edit',
      'git config unset a.b',
      'git branch -l x',
      'git branch new',
      'git branch -d x',
      'git tag v1',
      'git tag -d v1',
      'git remote set-url origin x',
      'git config a.b c',
      'git config --unset a.b',
      'git stash',
      'git stash pop',
      'git diff --output=f',
      'git checkout -- .',
      'git reset --hard',
      'git clean -fd',
      'git clone https://h/a',
      'git reflog expire --all',
    ],
  },
} as const satisfies Family;
