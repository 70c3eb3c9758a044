import type { Family } from './types.js';

const OUT = { arg: 'value', only: ['/dev/null', '/dev/stdout'], effect: 'mutating' } as const;
const CODE = { arg: 'value', effect: 'unknown' } as const;

/** Keys, certificates, labels and audit trails. */
export const SECURITY = {
  effect: 'read_only',
  commands: {
    openssl: {
      style: 'words',
      subcommands: {
        'x509 req crl pkey rsa ec pkcs7 pkcs12 ocsp dhparam pkcs8 ecparam dsa': {
          style: 'words',
          flags: {
            '-in -inform -outform -passin -nameopt -certopt -addext -checkend -checkhost -checkemail -checkip -CAfile -CApath -issuer -cert -url -host -path -VAfile -verify_other -respin -reqin':
              'value',
            '-text -noout -subject -issuer -dates -startdate -enddate -serial -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -hash -subject_hash -issuer_hash -pubkey -modulus -purpose -email -ext -check -pubin -pubout -verify -lastupdate -nextupdate -print_certs -info -nokeys -nocerts -clcerts -cacerts -nodes -noenc -ocsp_uri -ocspid -alias -resp_text -req_text -no_nonce -legacy -text_pub -list_curves -nocert':
              'none',
            '-ext': 'value',
            '-out -keyout -CAcreateserial -CAserial': OUT,
            '-engine -provider -config -provider-path -extfile': CODE,
          },
          operands: { max: 0 },
        },
        s_client: {
          style: 'words',
          sends: true,
          flags: {
            '-connect -servername -CAfile -CApath -cert -key -starttls -verify -alpn -host -port -cipher -ciphersuites -curves -proxy -name -xmpphost -verify_hostname -nextprotoneg -groups -sigalgs':
              'value',
            '-showcerts -status -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -ssl3 -quiet -brief -debug -msg -state -prexit -ign_eof -no_ign_eof -verify_return_error -tlsextdebug -4 -6 -reconnect -noservername -crlf -verify_quiet -trace -no_ssl3 -no_ssl2':
              'none',
            '-sess_out -keylogfile -msgfile -ctlogfile': OUT,
            '-engine -provider': CODE,
          },
          operands: { max: 1 },
        },
        'verify ciphers asn1parse list version errstr crl2pkcs7 sess_id nseq': {
          style: 'words',
          flags: {
            '-CAfile -CApath -untrusted -purpose -in -inform -verify_name -crlfile -offset -length -strparse -verify_hostname':
              'value',
            '-show_chain -verbose -v -V -a -s -tls1 -tls1_2 -tls1_3 -i -crl_check -crl_check_all -partial_chain -digest-commands -cipher-commands -b -o -f -p -d -text -noout -stdname -convert -x509_strict -no-CApath -no-CAfile':
              'none',
            '-out': OUT,
            '-engine -provider': CODE,
          },
        },
        'dgst md5 sha1 sha256 sha384 sha512': {
          style: 'words',
          flags: {
            '-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -hex -binary -r -c': 'none',
            '-verify -signature -hmac -mac -macopt': 'value',
            '-out -sign': OUT,
            '-engine -provider': CODE,
          },
        },
        'enc genrsa genpkey gendsa pkeyutl rsautl cms smime ca ts srp passwd pkeyparam': {
          style: 'words',
          effect: 'unknown',
          flags: { '-out -keyout': OUT },
        },
        rand: { style: 'words', flags: { '-hex -base64': 'none', '-out -writerand': OUT, '-rand': 'value' } },
      },
    },
    certtool: {
      otherwise: 'unknown',
      requires: '-i --certificate-info -l --crl-info',
      short: 'il',
      long: 'certificate-info crl-info infile: inder',
    },
    keytool: {
      style: 'words',
      otherwise: 'mutating',
      requires: '-list -printcert',
      flags: {
        '-list -printcert -v -rfc -protected -cacerts': 'none',
        '-keystore -storepass -storetype -alias -file -sslserver -keypass -jarfile': 'value',
        '-providerclass -provider -providerpath -addprovider -providername': CODE,
      },
    },
    'gpg gpg2': {
      otherwise: 'unknown',
      requires:
        '-k -K --list-keys --list-secret-keys --list-public-keys --fingerprint --verify --list-packets --list-sigs --export',
      short: 'kKvqa',
      flags: { '--homedir --keyring': CODE },
      long: 'list-keys list-secret-keys list-public-keys fingerprint verify list-packets list-sigs export batch no-tty with-colons keyid-format: with-fingerprint status-fd: armor',
    },
    'ssh-keygen': {
      otherwise: 'mutating',
      requires: '-l -F -B',
      short: 'lvf:E:F:BH',
      flags: { '-H': { arg: 'none', effect: 'mutating' }, '-D -w': CODE },
    },
    'ssh-add': { otherwise: 'mutating', requires: '-l -L', short: 'lLE:q' },
    semanage: {
      otherwise: 'mutating',
      subcommands: {
        'boolean fcontext login user port interface module node permissive export': {
          otherwise: 'mutating',
          requires: '-l --list -E --extract',
          short: 'lCnE',
          long: 'list locallist noheading extract',
        },
      },
    },
    'getenforce sestatus selinuxenabled getsebool matchpathcon seinfo sesearch': {
      short: 'bvaAslcCutndm:',
      long: 'all',
    },
    restorecon: { otherwise: 'mutating', requires: '-n', short: 'nvRrF' },
    'ausearch aureport': {
      style: 'getopt',
      otherwise: 'unknown',
      short: 'iklmnrsuvxcefhpta',
      flags: {
        '-m -ts -te -k -ui -ua -p -c -x -f -i -sc -sv -hn -if -a -n -gi -ga -ue -ul -tm -w --message --start --end --key --pid --comm --executable --file --input --event --host --success --syscall --uid --uid-all --loginuid --node --arch --exit --terminal --session':
          'optional',
        '-ts -te -m': 'value',
        '--raw --interpret --summary --failed --success --input-logs --just-one --format --log --auth --login --avc --config --crypto --events --executable --anomaly --mods --user --tty --keyline --key --log-time -t -l -au':
          'none',
        '--checkpoint': { arg: 'value', effect: 'mutating' },
      },
    },
    visudo: {
      otherwise: 'mutating',
      requires: '-c --check',
      short: 'cqf:s',
      long: 'check quiet file: strict',
      flags: { '-x --export': { arg: 'value', effect: 'mutating' } },
    },
    klist: { short: 'ceflaknAstKCVd' },
    kvno: { effect: 'unknown' },
    'pwck grpck': { otherwise: 'mutating', requires: '-r', short: 'rq', long: 'read-only quiet' },
    keyctl: {
      subcommands: {
        'list show rlist describe rdescribe read print': {},
        'add request clear revoke unlink link update': 'mutating',
      },
    },
    capsh: {
      otherwise: 'unknown',
      flags: { '--print --decode': 'optional' },
      requires: '--print --decode',
      operands: { max: 0 },
    },
    mokutil: {
      otherwise: 'mutating',
      long: 'sb-state list-enrolled list-new test-key: pk kek db dbx',
      requires: '--sb-state --list-enrolled --list-new --pk --kek --db --dbx',
    },
    'lynis rkhunter chkrootkit aide': { effect: 'unknown' },
    vault: {
      everywhere: true,
      style: 'words',
      flags: {
        '-field -format -namespace -version -mount -detailed': 'value',
        '-address -ca-cert -tls-skip-verify': 'optional',
      },
      subcommands: {
        // Other engines make a new credential when they are read.
        read: { style: 'words', operands: { max: 1, match: '^/?(?:secret|kv|cubbyhole|sys|auth)/' } },
        'status list version': { operands: { max: 1 }, style: 'words' },
        kv: {
          subcommands: { 'get list': { style: 'words' }, 'put patch delete destroy undelete rollback': 'mutating' },
        },
        token: { subcommands: { 'lookup capabilities': { style: 'words' } } },
        'secrets auth policy audit': {
          subcommands: { 'list read': { style: 'words' }, 'enable disable tune move write delete': 'mutating' },
        },
        'write delete login unwrap': 'mutating',
      },
    },
  },
  examples: {
    read_only: [
      'vault read secret/x',
      'openssl x509 -in f -noout -text',
      'openssl s_client -connect h:443 -servername h </dev/null',
      'openssl verify -CAfile a b',
      'openssl dgst -sha256 f',
      'openssl version',
      'openssl rand -hex 16',
      'gpg --list-keys',
      'ssh-keygen -lf k',
      'ssh-add -l',
      'getenforce',
      'sestatus -b',
      'semanage port -l',
      'visudo -c',
      'ausearch -m avc -ts recent',
      'keytool -list -keystore f',
    ],
    unknown: [
      'vault read database/creds/x',
      'cat f | openssl s_client -connect h:443',
      'openssl x509 -engine x -in f',
      'openssl req -config x -text',
      'gpg --decrypt f',
      'openssl enc -d -in f',
    ],
    mutating: [
      'openssl x509 -in a -out b',
      'openssl genrsa -out k 2048',
      'openssl enc -in a -out b',
      'ssh-keygen -t rsa',
      'ssh-keygen -R h',
      'ssh-add k',
      'semanage port -a -t x 1',
      'setenforce 0',
      'visudo',
      'visudo -x f',
      'restorecon -R /',
    ],
  },
} as const satisfies Family;
