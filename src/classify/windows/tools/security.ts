import type { ToolFamily, ToolSpec } from '../types.js';

const ANY: ToolSpec = { style: 'any' };

/** Certificates, audit policy, directory services, package managers and SQL Server's client. */
export const SECURITY = {
  effect: 'read_only',
  commands: {
    certutil: {
      otherwise: 'mutating',
      flags: 'v user enterprise grouppolicy silent gmt seconds unicode nullsign idispatch t+ p+ dc+ config+',
      verbAnywhere: true,
      verbs: {
        '/dump /asn /error': { operands: { max: 1 } },
        // A third operand would be a file to write.
        '/store': { operands: { max: 2 } },
        '/hashfile': { operands: { max: 2, min: 1 } },
        '/verify': { operands: { max: 1 } },
        '/ping /cainfo /catemplates /getconfig': { operands: { max: 1 } },
        '/urlfetch': 'unknown',
      },
    },
    auditpol: {
      otherwise: 'mutating',
      verbs: {
        '/get': { flags: 'user: category: subcategory: option: sd r', operands: { max: 0 } },
        '/list': { flags: 'user category subcategory: v r', operands: { max: 0 } },
      },
    },
    cmdkey: { requires: 'list', flags: 'list:', operands: { max: 0 }, otherwise: 'mutating' },
    'secedit mpcmdrun': { effect: 'mutating' },
    dcdiag: {
      flags:
        's: n: u: p: a e q v i c skip: dnsbasic dnsforwarders dnsdelegation dnsrecordregistration dnsresolveextname dnsinternetname:',
      rules: {
        test: { match: '^(?!registerindns)(?!dcpromo)[a-z0-9]+$' },
        'fix f ferr x dnsdynamicupdate': { effect: 'mutating' },
      },
      operands: { max: 0 },
    },
    repadmin: {
      otherwise: 'mutating',
      verbs: {
        '/showrepl /replsummary /replsum /queue /showbackup /showmsg /showobjmeta /showutdvec /showattr /showcert /showconn /showctx /showism /showsig /showtime /showtrust /showvalue /showncsig /viewlist /istg /bridgeheads /failcache /latency /dsaguid /querysites':
          { flags: 'csv verbose errorsonly intersite bysrc bydest bysource sort: homeserver u: pw: repsto conn all v' },
        '/options': 'unknown',
        '/prp': { otherwise: 'mutating', verbs: { view: ANY } },
      },
    },
    nltest: {
      flags:
        'server: dsgetdc: dclist: dsgetsite domain_trusts trusted_domains sc_query: parentdomain whowill: finduser: query bdc_query: dnsgetdc: dsgetsitecov force pdc gc kdc ldaponly writable timeserv gtimeserv netbios dns ip ds ds_8 dsp account: avoidself ret_dns ret_netbios site: try_next_closest_site v primary forest direct_out direct_in all_trusts sitespec',
      rules: {
        'sc_reset sc_change_pwd sync repl shutdown dbflag truncate sim_sync pdc_repl dsregdns dsderegdns cdigest': {
          effect: 'mutating',
        },
      },
      operands: { max: 2, match: '^[^/-]' },
    },
    'dsquery dsget': ANY,
    'dsadd dsmod dsrm dsmove csvde ldifde ldp ksetup ktpass djoin': { effect: 'mutating' },
    setspn: { flags: 'l q x t+ f p', otherwise: 'mutating', operands: { max: 1 } },
    netdom: {
      otherwise: 'mutating',
      verbs: {
        query: {
          flags: 'domain: d: server: s: userd: ud: passwordd: pd: verify direct securepasswordprompt',
          operands: { max: 1, match: '^(?:workstation|server|dc|ou|pdc|fsmo|trust)$' },
        },
      },
    },
    dsacls: { otherwise: 'mutating', operands: { max: 1 }, flags: 'a' },
    dnscmd: {
      otherwise: 'mutating',
      leading: '^[^/-]',
      verbs: {
        '/enumzones /enumrecords /zoneinfo /info /zoneprint /enumdirectorypartitions /directorypartitioninfo': ANY,
      },
    },
    dfsrdiag: { otherwise: 'mutating', verbs: { 'backlog replicationstate guid2name': ANY } },
    tpmtool: { otherwise: 'mutating', verbs: { getdeviceinformation: ANY } },
    bitsadmin: {
      otherwise: 'mutating',
      verbs: { '/list': { flags: 'allusers verbose', operands: { max: 0 } }, '/util': 'unknown' },
    },
    sqlcmd: {
      caseSensitive: true,
      sql: 'Q',
      rules: {
        Q: { next: true },
        'S U P d h s w t l y Y m V a f K H': { next: true },
        'A E b W C N k I j p r x M G g u R': {},
        o: { effect: 'mutating', next: true },
        'i v q': { effect: 'unknown', next: true },
      },
      operands: { max: 0 },
    },
    'bcp osql': { effect: 'mutating' },
    choco: {
      flags:
        'l local-only -local-only e exact -exact a all-versions r limit-output -limit-output -limitoutput v verbose -verbose -include-programs i n+ -name+ s+ source+ -source+ id-only -id-only -no-color pre -pre -detailed',
      verbs: {
        'list search find info outdated': { operands: { max: 2 } },
        'config source sources feature pin': {
          bare: 'read_only',
          otherwise: 'mutating',
          verbs: { 'list get': { operands: { max: 2 } } },
        },
        apikey: { operands: { max: 0 }, flags: 's+ source+ -source+', otherwise: 'mutating' },
        'install uninstall upgrade new push pack setapikey unpackself export': 'mutating',
      },
    },
    winget: {
      flags:
        'e -exact -source+ s+ q+ -query+ -id+ -name+ n+ -count+ -versions -accept-source-agreements -disable-interactivity -tag+',
      verbs: {
        '/v //version //info': { operands: { max: 0 } },
        'list ls search find show view': { operands: { max: 1 } },
        source: { otherwise: 'mutating', verbs: { 'list ls': { operands: { max: 1 } } } },
        'install add upgrade update uninstall remove rm import export configure download pin settings repair':
          'mutating',
      },
    },
    scoop: {
      verbs: {
        'list info search which prefix': { operands: { max: 1 } },
        bucket: { otherwise: 'mutating', verbs: { 'list known': ANY } },
        'install uninstall update cleanup reset hold unhold import': 'mutating',
      },
    },
    'msiexec wmpconfig fondue dvdmaker': { effect: 'mutating' },
  },
  examples: {
    read_only: [
      'certutil -dump a.cer',
      'certutil -hashfile a.zip SHA256',
      'certutil -store My',
      'certutil -user -store My',
      'certutil -verify a.cer',
      'auditpol /get /category:*',
      'cmdkey /list',
      'dcdiag /s:dc1 /q',
      'dcdiag /test:replications',
      'repadmin /showrepl',
      'repadmin /replsummary /bysrc',
      'nltest /dsgetdc:corp.local',
      'nltest /sc_query:corp',
      'dsquery user -name x*',
      'setspn -L svc',
      'netdom query fsmo',
      'dnscmd /enumzones',
      'dnscmd dc1 /zoneinfo corp.local',
      'bitsadmin /list /allusers',
      'sqlcmd -S . -E -Q "SELECT @@VERSION"',
      'sqlcmd -S db1 -d app -h -1 -W -Q "SET NOCOUNT ON; SELECT name, state_desc FROM sys.databases"',
      'choco list --local-only',
      'choco config get x',
      'winget list --source winget',
      'scoop bucket list',
    ],
    unknown: [
      'nltest /sc_verify:corp',
      'nltest /frob',
      'certutil -verify -urlfetch a.cer',
      'sqlcmd -i a.sql',
      'sqlcmd',
      'sqlcmd -Q "EXEC xp_cmdshell \'dir\'"',
      'sqlcmd -Q "SELECT 1 EXEC xp_cmdshell \'dir\'"',
      'sqlcmd -Q "SELECT dbo.f(1)"',
      'repadmin /options dc1 +DISABLE_INBOUND_REPL',
      'dcdiag /test:registerindns',
      'winget frob',
    ],
    mutating: [
      'certutil -addstore root a.cer',
      'certutil -urlcache -f https://203.0.113.7/a.exe a.exe',
      'certutil -decode a b',
      'certutil -split -dump a',
      'certutil -store my 0 out.cer',
      'auditpol /set /category:* /success:disable',
      'auditpol /backup /file:a',
      'cmdkey /add:x',
      'dcdiag /fix',
      'dcdiag /f:a.log',
      'repadmin /syncall',
      'nltest /sc_reset:corp',
      'setspn -A http/x svc',
      'netdom join x',
      'dnscmd /zonedelete x',
      'bitsadmin /transfer x http://h/f c:\\f',
      'bitsadmin /create 1',
      'sqlcmd -Q "DELETE FROM t"',
      'sqlcmd -Q "SELECT 1" -o a.txt',
      'sqlcmd -A -o a.txt -Q "SELECT 1"',
      'netdom query trust /domain:x /reset',
      'repadmin /prp add dc1 allow cn=x',
      'sqlcmd -Q "SELECT 1; DROP TABLE t"',
      'choco install nginx',
      'winget upgrade --all',
      'msiexec /i a.msi',
    ],
  },
} as const satisfies ToolFamily;
