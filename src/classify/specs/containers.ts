import type { Family } from './types.js';

const FORMAT = { '-f --format --filter': 'value' } as const;
const LIST = {
  short: 'aqn:slf:',
  flags: FORMAT,
  long: 'all quiet no-trunc size latest last: digests filter: tree sort: noheading ns pod',
} as const;
const LOGS = {
  dynamic: 'any',
  short: 'ftn:',
  long: 'follow timestamps tail: since: until: details no-color no-log-prefix names latest',
} as const;
const INSPECT = { dynamic: 'any', short: 's', flags: FORMAT, long: 'size type: pretty verbose' } as const;
const EXEC = {
  short: 'itu:w:T',
  long: 'interactive tty user: workdir: no-TTY index:',
  flags: { '-d -e --detach --env --env-file --privileged --detach-keys': { arg: 'value', effect: 'unknown' } },
  wrapper: { skip: 1 },
} as const;
const STATS = { dynamic: 'any', short: 'a', flags: FORMAT, long: 'all no-stream no-trunc' } as const;
const CHANGES = 'mutating';

const CONTAINER = {
  'ps ls list': LIST,
  logs: LOGS,
  inspect: INSPECT,
  top: {},
  port: {},
  diff: {},
  stats: STATS,
  exec: EXEC,
  exists: {},
  'run create start stop restart kill rm remove pause unpause rename update commit cp wait attach prune export checkpoint restore init cleanup mount unmount clone':
    CHANGES,
} as const;
const IMAGE = {
  'ls list': LIST,
  'history tree': { short: 'Hq', flags: FORMAT, long: 'human no-trunc quiet' },
  inspect: INSPECT,
  exists: {},
  'tag pull push rm remove prune save load import build sign untag mount unmount scp': CHANGES,
} as const;
const VOLUME = { 'ls list': LIST, inspect: INSPECT, 'create rm remove prune update': CHANGES } as const;
const COMPOSE = {
  short: 'f:p:',
  long: 'file: project-name: profile: project-directory: env-file: ansi: progress:',
  subcommands: {
    'ps ls images top port events version': {
      short: 'aq',
      flags: FORMAT,
      long: 'all quiet services status: json no-trunc',
    },
    logs: LOGS,
    'config convert': {
      short: 'q',
      long: 'quiet services images volumes profiles hash: no-interpolate format:',
      flags: { '-o --output': { arg: 'value', effect: 'mutating' } },
    },
    exec: EXEC,
    'up down start stop restart rm kill pull push build create pause unpause run cp scale watch attach commit export publish':
      CHANGES,
  },
} as const;

const DOCKER = {
  elsewhere: { flags: '-H --host -c --context --url --connection' },
  short: 'D',
  flags: {
    '-c --context -l --log-level': 'value',
    '-H --host': { arg: 'value', match: '^(?:unix|tcp|ssh)://[A-Za-z0-9/]' },
    '--config --tlscacert --tlscert --tlskey --tls --tlsverify --root --runroot --url --connection': {
      arg: 'value',
      effect: 'unknown',
    },
  },
  subcommands: {
    ...CONTAINER,
    images: LIST,
    history: IMAGE['history tree'],
    search: { flags: FORMAT, long: 'limit: no-trunc list-tags' },
    'info version': { flags: FORMAT },
    events: { flags: FORMAT, long: 'since: until: stream' },
    container: { subcommands: CONTAINER },
    image: { subcommands: IMAGE },
    volume: { subcommands: VOLUME },
    network: {
      subcommands: {
        'ls list': LIST,
        inspect: INSPECT,
        exists: {},
        'create rm remove connect disconnect prune reload update': CHANGES,
      },
    },
    system: {
      subcommands: {
        df: { short: 'v', flags: FORMAT, long: 'verbose' },
        'info events': { flags: FORMAT, long: 'since: until:' },
        'prune reset migrate renumber service': CHANGES,
      },
    },
    'node service secret config stack swarm plugin context manifest trust buildx builder': {
      subcommands: {
        'ls list ps': LIST,
        inspect: INSPECT,
        logs: LOGS,
        services: LIST,
        show: {},
        du: { long: 'verbose filter: builder:' },
        'create rm remove update use import export deploy up down init join leave ca unlock unlock-key install enable disable set upgrade push promote demote scale rollback prune build bake stop annotate sign revoke':
          CHANGES,
      },
    },
    compose: COMPOSE,
    pod: {
      subcommands: {
        'ps ls list': LIST,
        inspect: INSPECT,
        'top stats logs exists': LOGS,
        'create start stop restart kill rm pause unpause prune': CHANGES,
      },
    },
    machine: {
      subcommands: { 'list ls': LIST, inspect: INSPECT, info: {}, 'init start stop rm set ssh reset os': CHANGES },
    },
    'tag rmi save load import build push pull login logout': CHANGES,
    healthcheck: 'unknown',
    generate: 'unknown',
    help: {},
  },
} as const;

/** Container engines. What runs inside with exec is judged by its own command. */
export const CONTAINERS = {
  effect: 'read_only',
  commands: {
    'docker podman nerdctl': DOCKER,
    'docker-compose podman-compose': COMPOSE,
    'docker-machine': {
      subcommands: {
        'ls inspect ip status url version active env config': { short: 'qf:', long: 'quiet format: filter:' },
        'create rm start stop restart kill upgrade regenerate-certs provision scp mount': CHANGES,
        ssh: 'unknown',
      },
    },
    crictl: {
      short: 'r:i:t:D',
      long: 'runtime-endpoint: image-endpoint: timeout:',
      subcommands: {
        'ps pods images imgs img info version stats statsp inspect inspectp inspecti logs imagefsinfo events port': {
          short: 'aqvo:fpt',
          long: 'all quiet verbose output: name: state: label: pod: image: id: latest last: follow tail: since: timestamps no-trunc watch namespace:',
          flags: { '-p': 'optional' },
        },
        exec: { short: 'it', long: 'tty interactive timeout:', wrapper: { skip: 1 } },
        'create pull rm rmi rmp run runp start stop stopp update attach port-forward checkpoint': CHANGES,
      },
    },
    ctr: {
      short: 'n:a:',
      long: 'namespace: address:',
      subcommands: {
        'images image i': {
          subcommands: {
            'ls list check usage': { short: 'q' },
            'pull push rm remove tag import export mount unmount label': CHANGES,
          },
        },
        'containers c container': {
          subcommands: { 'ls list info': { short: 'q' }, 'create delete rm label': CHANGES },
        },
        'tasks task t': {
          subcommands: {
            'ls list ps metrics': { short: 'q' },
            'kill pause resume rm delete start exec attach': CHANGES,
          },
        },
        'namespaces namespace ns': { subcommands: { 'ls list': { short: 'q' }, 'create rm remove label': CHANGES } },
        version: {},
        'snapshots snapshot': { subcommands: { 'ls list info tree usage': {} } },
        run: CHANGES,
      },
    },
    skopeo: {
      subcommands: {
        'inspect list-tags': { long: 'raw config format: tls-verify creds: authfile: no-tags' },
        'copy delete sync login logout': CHANGES,
      },
    },
    'lxc incus': {
      subcommands: {
        'list ls info version': { short: 'c:f:', long: 'columns: format: all-projects fast' },
        'image network storage profile config project remote cluster operation': {
          subcommands: {
            'list ls show info get get-default list-leases list-allocations': {
              short: 'c:f:',
              long: 'columns: format:',
            },
            'create delete set edit unset copy rename import export attach detach add remove switch alias device':
              CHANGES,
          },
        },
        exec: { otherwise: 'unknown', wrapper: { separator: '--', skip: 1 } },
        'init launch start stop restart delete copy move rename snapshot restore publish pause file rebuild': CHANGES,
      },
    },
    'lxc-ls lxc-info lxc-top lxc-checkconfig': {
      short: '1fn:FgaisSpH',
      long: 'fancy frozen running stopped active line fancy-format: name: state ips pid stats filter: nesting::',
    },
    buildah: {
      subcommands: {
        'images containers inspect info version ps': LIST,
        'bud build commit from rm rmi pull push run copy add config mount umount tag': CHANGES,
      },
    },
    runc: {
      subcommands: {
        'list state ps events': { short: 'f:q', long: 'format: stats' },
        'create run start kill delete pause resume update exec checkpoint restore': CHANGES,
      },
    },
    'oc-mirror': { effect: 'unknown' },
  },
  examples: {
    read_only: [
      'docker ps -a',
      'docker inspect $(docker ps -q)',
      'docker logs --tail 200 -f web',
      'docker inspect -f "{{.Name}}" web',
      'docker images',
      'docker stats --no-stream',
      'docker exec web cat /etc/hosts',
      'docker exec -it web ls',
      'docker compose ps',
      'docker compose -f f logs web',
      'docker exec web sh -c "ps aux | head"',
      'docker system df',
      'docker volume ls',
      'docker container ls',
      'docker container commit --help',
      'podman ps',
      'podman image history x',
      'crictl pods',
      'ctr images ls',
      'lxc list',
      'skopeo inspect docker://x',
      'docker node ls',
      'docker network inspect x',
    ],
    unknown: [
      'docker exec -e A=b web ls',
      'docker exec web',
      'docker exec -d web ls',
      'docker --config x ps',
      'docker frob',
      'docker exec web foo',
    ],
    mutating: [
      'docker run --rm alpine ls',
      'docker rm web',
      'docker exec web rm f',
      'docker restart web',
      'docker compose up -d',
      'docker compose down',
      'docker system prune -f',
      'docker pull x',
      'podman rm web',
      'docker cp a web:/b',
      'docker compose exec web rm f',
      'docker container export web',
      'crictl rmi x',
      'docker service update x',
    ],
  },
} as const satisfies Family;
