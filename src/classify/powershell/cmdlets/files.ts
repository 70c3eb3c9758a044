import type { CmdletFamily } from './types.js';

const PATHS = 'Path: LiteralPath|PSPath|LP: Filter: Include: Exclude: Force Credential: UseTransaction|usetx';

/** Files, the registry, certificates and other drives; texts and tables in files. */
export const FILES = {
  effect: 'read_only',
  commands: {
    'Get-ChildItem Get-Item Get-ItemProperty Get-ItemPropertyValue Get-PSDrive Get-PSProvider': {
      params: `${PATHS} Recurse|s Depth: Name: File|af Directory|d|ad Hidden|h|ah ReadOnly|ar System|as Attributes: FollowSymlink Stream: PSProvider: Scope: LiteralName: CodeSigningCert DocumentEncryptionCert SSLServerAuthentication DnsName: Eku: ExpiringInDays:`,
    },
    'Get-Content': {
      params: `${PATHS} ReadCount: TotalCount|First|Head: Tail|Last: Delimiter: Wait Raw Encoding: AsByteStream Stream:`,
    },
    'Test-Path': { params: `${PATHS} PathType|Type: IsValid NewerThan: OlderThan:` },
    'Resolve-Path Convert-Path': {
      params: 'Path: LiteralPath|PSPath|LP: Relative RelativeBasePath: Credential: Force',
    },
    'Split-Path Join-Path': {
      params:
        'Path: LiteralPath|PSPath|LP: ChildPath: AdditionalChildPath: Parent Leaf LeafBase Extension Qualifier NoQualifier Resolve IsAbsolute Credential:',
      gives: 'text',
    },
    'Get-FileHash': { params: 'Path: LiteralPath|PSPath|LP: InputStream: Algorithm:' },
    'Get-Acl': { params: `${PATHS} InputObject: Audit AllCentralAccessPolicies` },
    'Get-AuthenticodeSignature Get-PfxCertificate Get-CmsMessage': {
      params: 'FilePath|Path: LiteralPath|PSPath|LP: Content: SourcePathOrExtension:',
    },
    'Import-Csv': { params: 'Path: LiteralPath|PSPath|LP: Delimiter: UseCulture Header: Encoding:' },
    'Import-Clixml Import-PowerShellDataFile': {
      params: 'Path: LiteralPath|PSPath|LP: IncludeTotalCount Skip: First: SkipLimitCheck',
    },
    'Test-Certificate': {
      params: 'Cert: Policy: User EKU: DNSName: AllowUntrustedRoot',
    },
    'Get-AppLockerPolicy': { params: 'Local Domain Effective Ldap: Xml' },
    'Test-AppLockerPolicy Get-AppLockerFileInformation': {
      params:
        'XmlPolicy: PolicyObject: Path: User: Filter: Packages: Directory: Recurse FileType: EventLog EventType: LogPath: Statistics',
    },
    'Get-Clipboard': { params: 'Format: TextFormatType: Raw Delimiter:' },
  },
  examples: {
    read_only: [
      'Get-ChildItem C:\\inetpub\\logs -Recurse -File -ErrorAction SilentlyContinue',
      'dir C:\\Windows\\Temp -Force',
      'ls HKLM:\\Software',
      'Get-Content C:\\a.log -Tail 100',
      'gc C:\\a.log -Head 5',
      'type C:\\a.txt',
      "Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion' -Name ProductName",
      'Test-Path C:\\x -PathType Leaf',
      'Get-FileHash C:\\a.zip -Algorithm SHA256',
      '(Get-Acl C:\\x).Access',
      'Join-Path $env:TEMP x | Resolve-Path',
      'Import-Csv C:\\a.csv | ? Name -like "a*"',
      'Get-ChildItem Cert:\\LocalMachine\\My | ? NotAfter -lt (Get-Date).AddDays(30)',
      'Get-ChildItem -Path C:\\x -Recurse `\n  -File',
      'cat C:\\x | sls error',
      '(Get-Item C:\\x).LastWriteTime',
    ],
    unknown: [
      'Get-ChildItem -Frob',
      'Get-Content @args',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of PowerShell
      '${C:\\x}',
      'C:\\deploy\\check.ps1',
      '.\\x.exe',
      'Get-Foo',
    ],
    mutating: [
      'Get-Content a | Set-Content b',
      'Get-Content a > b',
      'Get-Content a *>> b',
      'Get-ChildItem a>b',
      '(Get-Item a | Remove-Item)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of PowerShell
      '${C:\\x} = 1; Remove-Item y',
      'Get-ChildItem\nRemove-Item C:\\x',
      'Get-ChildItem; rm C:\\x',
    ],
  },
} as const satisfies CmdletFamily;
