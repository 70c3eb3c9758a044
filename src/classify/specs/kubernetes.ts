import type { Family } from './types.js';

const SHOW = {
  flags: { '-f --filename': { arg: 'value', match: '^(?!https?:)[^]*$' } },
  long: 'recursive show-events chunk-size: for: types: no-headers sort-by: sum containers use-protocol-buffers client short api-group: namespaced:: verbs: cached categories: subresource:',
} as const;
const ROUTINE = 'mutating';

/** Kubernetes and its neighbours. Changes there lie elsewhere, which the effect does not lower. */
export const KUBERNETES = {
  effect: 'read_only',
  commands: {
    'kubectl oc k3s-kubectl': {
      elsewhere: { always: true, except: '^(?:config|cp|plugin|completion|kustomize|proxy|port-forward)(?: |$)' },
      everywhere: true,
      short: 'n:o:l:Aw',
      long: 'namespace: output: selector: all-namespaces watch watch-only context: cluster: request-timeout: show-labels show-kind label-columns: field-selector: no-headers sort-by: ignore-not-found chunk-size: show-managed-fields limit: v: allow-missing-template-keys template: output-watch-events server-print',
      flags: {
        '-v -L': 'value',
        '--kubeconfig --server -s --token --user --as-uid --client-key --client-certificate --insecure-skip-tls-verify --certificate-authority --profile --profile-output --cache-dir --password --username':
          { arg: 'value', effect: 'unknown' },
        '--as --as-group': 'value',
        '--raw': 'value',
      },
      subcommands: {
        get: SHOW,
        describe: SHOW,
        'explain events api-resources api-versions cluster-info version': {
          ...SHOW,
          long: `${SHOW.long} api-version:`,
        },
        logs: {
          short: 'fpc:',
          long: 'follow previous container: all-containers since: since-time: tail: timestamps prefix limit-bytes: max-log-requests: ignore-errors pod-running-timeout: all-pods insecure-skip-tls-verify-backend',
        },
        top: { subcommands: { 'pod pods po node nodes no': SHOW } },
        rollout: {
          subcommands: {
            'status history': { long: 'revision: timeout:', flags: { '-f --filename': 'value' } },
            'restart undo pause resume': ROUTINE,
          },
        },
        auth: { subcommands: { 'can-i whoami': { long: 'list quiet', short: 'q' }, reconcile: ROUTINE } },
        config: {
          subcommands: {
            'view get-contexts current-context get-clusters get-users': { long: 'minify raw flatten merge' },
            'use-context set-context set-cluster set-credentials set unset delete-context delete-cluster delete-user rename-context':
              ROUTINE,
          },
        },
        exec: {
          short: 'itc:q',
          long: 'stdin tty container: quiet pod-running-timeout:',
          wrapper: { separator: '--', skip: 1 },
        },
        plugin: { subcommands: { list: {} } },
        'completion options': {},
        diff: 'unknown',
        proxy: 'unknown',
        'port-forward': 'unknown',
        attach: 'unknown',
        kustomize: 'unknown',
        wait: { long: 'for: timeout: all', flags: { '-f --filename': 'value' } },
        'whoami status projects': { operands: { max: 0 } },
        'apply create delete edit patch replace label annotate scale autoscale expose run set cordon uncordon drain taint cp debug certificate rollback new-app new-project adm login logout import-image start-build tag policy':
          ROUTINE,
      },
    },
    helm: {
      elsewhere: {
        always: true,
        except: '^(?:repo|plugin|pull|package|create|dependency|registry|template|lint)(?: |$)',
      },
      everywhere: true,
      short: 'n:Aaqo:f:',
      long: 'namespace: all-namespaces all output: revision: max: filter: kube-context: deployed failed pending superseded uninstalled short version: versions devel repo: regexp show-resources show-desc max-col-width: time-format: debug',
      flags: {
        '--kubeconfig --post-renderer --registry-config --repository-config --kube-apiserver --kube-token --ca-file': {
          arg: 'value',
          effect: 'unknown',
        },
      },
      subcommands: {
        'list ls status history hist version env': {},
        'get show inspect search': {
          subcommands: { 'all values manifest notes hooks metadata chart readme crds repo hub': {} },
        },
        repo: { subcommands: { list: {}, 'add remove rm update index': ROUTINE } },
        plugin: { subcommands: { 'list ls': {}, 'install uninstall update': ROUTINE } },
        dependency: { subcommands: { 'list ls': {}, 'update build': ROUTINE } },
        'install upgrade uninstall delete del un rollback pull push package create registry': ROUTINE,
        'template lint test verify': 'unknown',
      },
    },
    kubeadm: {
      subcommands: {
        version: { short: 'o:' },
        config: { subcommands: { view: {}, images: { subcommands: { list: {}, pull: ROUTINE } } } },
        certs: { subcommands: { 'check-expiration': {}, renew: ROUTINE } },
        token: { subcommands: { list: {}, 'create delete': ROUTINE } },
        'init join reset upgrade': ROUTINE,
      },
    },
    minikube: {
      subcommands: {
        addons: { subcommands: { list: {}, 'enable disable configure': ROUTINE } },
        'service profile': { subcommands: { list: {} } },
        'status ip version logs': { short: 'p:', flags: { '--file': { arg: 'value', effect: ROUTINE } } },
        'start stop delete pause unpause config cache mount': ROUTINE,
      },
    },
    argocd: {
      elsewhere: { always: true },
      subcommands: {
        'app cluster repo proj appset': {
          subcommands: {
            'list get history resources manifests': { short: 'o:p:l:', long: 'output: project: selector:' },
            'create delete sync set unset rollback terminate-op patch add rm edit wait': ROUTINE,
          },
        },
      },
    },
    flux: {
      elsewhere: { always: true },
      subcommands: {
        get: { style: 'any' },
        version: {},
        'create delete reconcile suspend resume install uninstall': ROUTINE,
      },
    },
    istioctl: { subcommands: { 'proxy-status ps version': { short: 'n:o:', long: 'namespace: output:' } } },
    'kubectx kubens': { otherwise: ROUTINE, short: 'c', long: 'current', operands: { max: 0 } },
    etcdctl: {
      elsewhere: { flags: '--endpoints' },
      everywhere: true,
      short: 'w:',
      long: 'endpoints: cacert: cert: key: user: write-out: prefix keys-only limit: print-value-only count-only from-key order: sort-by: cluster',
      subcommands: {
        'get ls version': {},
        endpoint: { subcommands: { 'health status hashkv': {} } },
        member: { subcommands: { list: {}, 'add remove update promote': ROUTINE } },
        alarm: { subcommands: { list: {}, disarm: ROUTINE } },
        'user role': {
          subcommands: {
            'list get': {},
            'add delete passwd grant-role revoke-role grant-permission revoke-permission': ROUTINE,
          },
        },
        auth: { subcommands: { status: {}, 'enable disable': ROUTINE } },
        'put del txn compaction defrag snapshot lease lock elect move-leader mkdir set rm': ROUTINE,
      },
    },
    nomad: {
      elsewhere: { always: true },
      style: 'words',
      subcommands: {
        'status version': { style: 'words', flags: { '-json -verbose -short': 'none' } },
        'job node alloc deployment namespace server': {
          subcommands: {
            'status logs history inspect list members deployments allocs': {
              style: 'words',
              flags: { '-json -verbose -short -f -stderr -stats -allocs': 'none', '-n -tail -namespace': 'optional' },
            },
            'run stop drain eligibility promote fail restart signal delete apply dispatch revert purge': ROUTINE,
            'exec fs': 'unknown',
          },
        },
      },
    },
    consul: {
      elsewhere: { always: true },
      style: 'words',
      subcommands: {
        'members info version': { style: 'words', flags: { '-detailed -wan': 'none', '-status': 'value' } },
        catalog: {
          subcommands: {
            'datacenters nodes services': {
              style: 'words',
              flags: { '-detailed': 'none', '-service -node': 'optional' },
            },
          },
        },
        kv: {
          subcommands: {
            get: { style: 'words', flags: { '-recurse -keys -detailed -base64': 'none' } },
            'put delete import': ROUTINE,
          },
        },
        operator: { subcommands: { raft: { subcommands: { 'list-peers': {} } } } },
        'join leave reload force-leave maint': ROUTINE,
        'exec lock watch': 'unknown',
      },
    },
    terraform: {
      elsewhere: { always: true, except: '^(?:init|fmt|get|validate|workspace|console|test|import)(?: |$)' },
      style: 'words',
      subcommands: {
        version: { style: 'words', flags: { '-json': 'none' } },
        workspace: { style: 'words', subcommands: { 'list show': {}, 'new delete select': ROUTINE } },
        'show output providers state graph validate': 'unknown',
        plan: { style: 'words', effect: 'unknown', flags: { '-out': { arg: 'value', effect: 'mutating' } } },
        'console test': 'unknown',
        'apply destroy import init taint untaint refresh fmt get force-unlock': ROUTINE,
      },
    },
    ansible: {
      elsewhere: { always: true, except: '^(?:localhost|127\\.[0-9.]+)(?: |$)' },
      check: 'ad-hoc',
      short: 'm:a:u:f:ovbkKT:CD',
      flags: {
        // An inventory without such a name may be a program, and a limit may be a file of names.
        '-i --inventory': { arg: 'value', match: '(?:\\.(?:ini|ya?ml)|,|/hosts)$' },
        '-l --limit': { arg: 'value', match: '^[^@{]*$' },
      },
      long: 'module-name: args: list-hosts user: forks: one-line verbose become ask-pass ask-become-pass timeout: check diff',
      operands: { min: 1, max: 1, literal: true, match: '^[^{]*$' },
    },
    'ansible-doc': { short: 'lFst:jv', long: 'list list_files snippet type: json' },
    'ansible-config': { subcommands: { 'list dump view': { short: 'v', long: 'only-changed' }, init: 'unknown' } },
    'ansible-inventory': { effect: 'unknown' },
    'ansible-galaxy': {
      subcommands: {
        'role collection': {
          subcommands: {
            'list search info': { short: 'v', long: 'author: galaxy-tags: platforms:' },
            'install remove init delete import setup build publish download': ROUTINE,
          },
        },
        'list search info': { short: 'v' },
        'install remove init': ROUTINE,
      },
    },
    'ansible-vault': {
      subcommands: {
        view: { flags: { '--vault-password-file --vault-id --ask-vault-pass': { arg: 'value', effect: 'unknown' } } },
        'create edit encrypt decrypt rekey encrypt_string': ROUTINE,
      },
    },
  },
  examples: {
    read_only: [
      'argocd app list',
      'flux get all',
      'istioctl proxy-status',
      'terraform version',
      'terraform workspace list',
      'ansible all -m ping -i hosts.ini',
      'ansible web1 -a uptime',
      "ansible web1 -m shell -a 'df -h | grep sda'",
      'ansible web1 -C -m copy -a "src=a dest=/b"',
      'ansible web -m setup -a filter=x',
      'kubectl get pods -A -o wide',
      'kubectl -n prod describe deploy/web',
      'kubectl logs -n a b --tail=5 -f',
      'kubectl exec -it web -c a -- cat /etc/hosts',
      'kubectl exec -n a deploy/web -- sh -c "ls | wc -l"',
      'kubectl top pods',
      'kubectl rollout status deploy/web',
      'kubectl config view',
      'kubectl auth can-i get pods',
      'kubectl get secret x -o yaml',
      'kubectl api-resources --namespaced=false',
      'helm list -A',
      'helm get values x',
      'etcdctl get a',
    ],
    unknown: [
      'kubectl exec pod ls -- touch x',
      'ansible all -m script -a ls',
      'ansible all -e @x -a ls',
      'ansible all -m setup -a "{{ x }}"',
      'ansible all -m ping -i ./inv.py',
      'kubectl diff -f f',
      'kubectl --kubeconfig f get pods',
      'kubectl exec web ls',
      'kubectl frob',
      'kubectl port-forward web 80',
      'terraform plan',
      'helm template x',
    ],
    mutating: [
      'terraform plan -out=f',
      'kubectl apply -f f',
      'kubectl -n a delete pod b',
      'kubectl exec web -- rm f',
      'kubectl rollout restart deploy/web',
      'kubectl config use-context x',
      'kubectl drain n',
      'kubectl scale deploy/web --replicas=3',
      'argocd app sync a',
      'flux suspend kustomization a',
      'helm upgrade a b',
      'helm uninstall a',
      'etcdctl put a b',
      'terraform apply',
    ],
  },
} as const satisfies Family;
