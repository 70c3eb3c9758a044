import type { Family } from './types.js';

const URL =
  '^(?:(?:https?|ftps?|file)://[^]*|(?![A-Za-z][A-Za-z0-9+.-]*://)(?!(?:ftp|dict|ldap|imap|smtp|pop3|pop)\\.)[A-Za-z0-9[][^]*)$';
const URL_START = '^(?:https?://|(?!(?:ftp|dict|ldap|imap|smtp|pop3|pop)\\.)[A-Za-z0-9.-]+(?::[0-9]+)?/)';

/** HTTP clients: GET and HEAD with the body on standard output. */
export const WEB = {
  effect: 'read_only',
  commands: {
    varnishstat: { short: '1jlf:n:' },
    doveconf: { short: 'anNSPh' },
    curl: {
      short: '#046aAfgiIjkLlMnNpqRsSvVZ12:3:E:A:b:C:e:H:m:r:u:U:w:x:y:Y:z:t:',
      flags: {
        '-0 -1 -2 -3 -4 -6': 'none',
        '-o --output': { arg: 'value', only: ['/dev/null', '-'], effect: 'mutating' },
        '-X --request': { arg: 'value', only: ['GET', 'HEAD', 'OPTIONS', 'TRACE'], effect: 'mutating' },
        '-O -J --remote-name --remote-name-all --remote-header-name -R --remote-time': {
          arg: 'none',
          effect: 'mutating',
        },
        '-d -F -T --data --data-raw --data-binary --data-ascii --data-urlencode --form --form-string --json --upload-file -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --output-dir --create-dirs --hsts --alt-svc --etag-save --libcurl --mail-from --mail-rcpt':
          { arg: 'value', effect: 'mutating' },
        '-D --dump-header --stderr --trace --trace-ascii': {
          arg: 'value',
          only: ['-', '/dev/null', '/dev/stdout', '/dev/stderr'],
          effect: 'mutating',
        },
        '-K --config -Q --quote -t --telnet-option --engine --proto-default -a --append --variable --expand-url -P --ftp-port --unix-socket --abstract-unix-socket --next -:':
          { arg: 'value', effect: 'unknown' },
        '-w --write-out': { arg: 'value', match: '^(?!@)(?![^]*%output)[^]*$' },
        '-b --cookie': 'value',
        '-z --time-cond -C --continue-at': 'value',
        '-x --proxy -U --proxy-user': 'value',
        '--url': { arg: 'value', match: URL },
        '-M -h': 'none',
      },
      long: 'head get silent show-error fail fail-with-body fail-early location include insecure verbose compressed ipv4 ipv6 http1.0 http1.1 http2 http2-prior-knowledge http3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tls-max: ssl ssl-reqd no-buffer max-time: connect-timeout: max-redirs: max-filesize: retry: retry-delay: retry-max-time: retry-connrefused retry-all-errors header: user-agent: referer: user: netrc netrc-file: basic digest ntlm negotiate anyauth oauth2-bearer: cacert: capath: cert: key: cert-type: key-type: pass: ciphers: resolve: connect-to: interface: noproxy: proxy-insecure range: limit-rate: keepalive-time: no-keepalive globoff path-as-is raw progress-bar no-progress-meter list-only location-trusted styled-output no-styled-output proto: dns-servers: doh-url: aws-sigv4: cert-status crlf parallel parallel-max: tcp-nodelay tcp-fastopen ipfs-gateway: trace-time speed-limit: speed-time: request-target: haproxy-protocol happy-eyeballs-timeout-ms: version manual no-sessionid no-alpn rate: post301 etag-compare:',
      operands: { match: URL, start: URL_START },
    },
    wget: {
      otherwise: 'mutating',
      requires: '-O --output-document --spider',
      short: 'qvdS46T:t:w:U:c',
      flags: {
        '-O --output-document': { arg: 'value', only: ['-', '/dev/null'], effect: 'mutating' },
        '-q --quiet -nv': 'none',
        '-S --server-response --spider --no-check-certificate --no-verbose --no-proxy --inet4-only --inet6-only --no-dns-cache --content-on-error --no-cache':
          'none',
        '--timeout --tries --wait --user-agent --header --user --password --http-user --http-password --max-redirect --connect-timeout --read-timeout --dns-timeout --ca-certificate':
          'value',
        '-c': { arg: 'none', effect: 'mutating' },
        '-o --output-file': {
          arg: 'value',
          only: ['/dev/null', '-', '/dev/stdout', '/dev/stderr'],
          effect: 'mutating',
        },
      },
      operands: { match: URL, start: URL_START },
    },
    'ab wrk hey siege vegeta': { effect: 'mutating', why: 'loads a service' },
  },
  examples: {
    read_only: [
      'curl -sI https://h',
      'curl http://localhost:8080/health',
      'curl -sS -o /dev/null -w "%{http_code}\\n" https://h/',
      'curl -s "http://localhost:$port/x"',
      'curl -X GET h/a',
      'curl -kLs -H "A: b" -u a:b https://h',
      'wget -qO- https://h',
      'wget --spider h/f',
      'curl -s --max-time 5 localhost:9200/_cat/health?v',
      'curl --version',
    ],
    unknown: [
      'curl -K f',
      'curl gopher://h/x',
      'curl "$url"',
      'curl dict.example.com',
      'curl -w "%output{f}" http://h',
      'curl -w @f http://h',
      'curl --frob http://h',
    ],
    mutating: [
      'curl -O https://h/f',
      'curl -o f https://h',
      'curl -sOL https://h/f',
      'curl -d a=b h',
      'curl -X POST h',
      'curl -XDELETE h',
      'curl -T f ftp://h',
      'curl --trace f h',
      'curl -c jar h',
      'curl --data-raw x h',
      'curl --json x h',
      'wget https://h/f',
      'wget -o log -O- https://h',
      'wget -i f -O-',
      'curl -so f h',
      'curl -D f h',
    ],
  },
} as const satisfies Family;
