import type { CmdletFamily, ParameterRule } from './types.js';

const PLAIN: ParameterRule = { holds: 'plain' };
const BLOCK: ParameterRule = { holds: 'block' };
/** Properties whose names no method has, so that asking an object for one never runs anything. */
const PROPERTIES =
  '^(?:Name|FullName|BaseName|Extension|Length|Count|Id|ProcessName|Path|Status|DisplayName|Caption|Description|Message|Definition|Value|Values|Keys|Key|Definition|Line|LineNumber|Subject|Thumbprint|NotAfter|IPAddress|IPAddressToString|MachineName|ComputerName|DNSHostName|SamAccountName|DistinguishedName|Version|Parent|Directory|DirectoryName|CreationTime|LastWriteTime|StartTime|CPU|WorkingSet|Handles|Threads|Modules|State|StartMode|StartType|Properties|DeviceID|DriveLetter|Size|FreeSpace|SizeRemaining|TimeCreated|ProviderName|LevelDisplayName|PSPath|PSChildName|CommandLine|Title|Groups|Matches|Members|MemberOf|DependentServices|ServicesDependedOn|UserName|SID|Day|Month|Year|Hour|Minute|TotalSeconds|TotalMinutes|TotalHours|TotalDays|Ticks|Days|Hours|Minutes|Seconds)$';

/** Filters, formats and texts: what stands behind a pipe. */
export const OBJECTS = {
  effect: 'read_only',
  commands: {
    'Where-Object': {
      params:
        'InputObject: Value: EQ|IEQ CEQ NE|INE CNE GT|IGT CGT LT|ILT CLT GE|IGE CGE LE|ILE CLE Like|ILike CLike NotLike|INotLike CNotLike Match|IMatch CMatch NotMatch|INotMatch CNotMatch Contains|IContains CContains NotContains|INotContains CNotContains In|IIn CIn NotIn|INotIn CNotIn Is IsNot Not',
      rules: {
        FilterScript: BLOCK,
        Property: { match: '^[\\w.*? -]+$' },
        First: { holds: 'block', match: '^[\\w.*? -]+$' },
      },
      positions: 'First Value',
    },
    'ForEach-Object': {
      params: 'InputObject: ThrottleLimit: TimeoutSeconds: UseNewRunspace',
      rules: {
        'Begin Process End RemainingScripts Parallel': BLOCK,
        First: { holds: 'block', match: PROPERTIES },
        MemberName: { match: PROPERTIES },
        'ArgumentList|Args AsJob': { effect: 'unknown' },
      },
      positions: 'First',
    },
    'Select-Object': {
      params: 'InputObject: Unique First: Last: Skip: SkipLast: SkipIndex: Wait Index: CaseInsensitive',
      rules: { 'Property ExcludeProperty ExpandProperty': PLAIN },
      positions: 'Property',
    },
    'Sort-Object': {
      params: 'InputObject: Descending Unique Culture: CaseSensitive Stable Top: Bottom:',
      rules: { Property: PLAIN },
      positions: 'Property',
    },
    'Group-Object': {
      params: 'InputObject: NoElement AsHashTable|AHT AsString Culture: CaseSensitive',
      rules: { Property: PLAIN },
      positions: 'Property',
    },
    'Measure-Object': {
      params:
        'InputObject: Sum Average Maximum Minimum StandardDeviation AllStats Line Word Character IgnoreWhiteSpace',
      rules: { Property: PLAIN },
      positions: 'Property',
    },
    'Compare-Object': {
      params:
        'ReferenceObject: DifferenceObject: SyncWindow: ExcludeDifferent IncludeEqual PassThru Culture: CaseSensitive',
      rules: { Property: PLAIN },
    },
    'Format-Table Format-List Format-Wide Format-Custom': {
      params:
        'InputObject: AutoSize HideTableHeaders Wrap View: Force ShowError DisplayError Expand: Column: Depth: RepeatHeader',
      rules: { 'Property ExcludeProperty GroupBy': PLAIN },
      positions: 'Property',
    },
    'Format-Hex': { params: 'Path: LiteralPath|PSPath|LP: InputObject: Encoding: Count: Offset: Raw' },
    'Get-Unique': { params: 'InputObject: AsString OnType CaseInsensitive' },
    'Get-Member': { params: 'InputObject: Name: MemberType|Type: View: Static Force' },
    'Add-Member': {
      params:
        'InputObject: NotePropertyName: NotePropertyValue: NotePropertyMembers: Name: Value: Force PassThru TypeName:',
      rules: { 'MemberType|Type': { match: '^NoteProperty$' } },
      positions: 'MemberType Name Value',
    },
    'Measure-Command': { params: 'InputObject:', rules: { Expression: BLOCK }, positions: 'Expression' },
    'Out-String': { params: 'InputObject: Width: Stream NoNewline', gives: 'text' },
    'Out-Null Out-Host Out-Default': { params: 'InputObject: Paging Transcript' },
    'Write-Output Write-Host Write-Verbose Write-Debug Write-Warning Write-Error Write-Information Write-Progress': {
      params:
        'InputObject: NoEnumerate Object: NoNewline Separator: ForegroundColor: BackgroundColor: Message|Msg: Exception: Category: ErrorId: TargetObject: RecommendedAction: CategoryActivity|Activity: CategoryReason|Reason: MessageData: Tags: Status: PercentComplete: SecondsRemaining: CurrentOperation: ParentId: Completed SourceId: Id: ErrorRecord:',
    },
    'ConvertTo-Json ConvertTo-Csv ConvertTo-Xml ConvertTo-Html': {
      params:
        'InputObject: Depth: Compress EnumsAsStrings AsArray EscapeHandling: Delimiter: UseCulture NoTypeInformation|NTI IncludeTypeInformation|ITI QuoteFields: UseQuotes: NoHeader As: Title: Head: Body: PreContent: PostContent: Fragment CssUri|cu|uri: Meta: Charset: Transitional',
      rules: { Property: PLAIN },
      positions: 'Property',
      gives: 'text',
    },
    'ConvertFrom-Json ConvertFrom-Csv ConvertFrom-StringData ConvertFrom-SddlString ConvertFrom-Markdown': {
      params:
        'InputObject: AsHashtable Depth: NoEnumerate DateKind: Delimiter: UseCulture Header: StringData: Sddl: Type: Path: LiteralPath:',
    },
    'Select-String': {
      params:
        'Path: LiteralPath|PSPath|LP: Pattern: InputObject: SimpleMatch CaseSensitive Quiet List Include: Exclude: NotMatch AllMatches Encoding: Context: Raw NoEmphasis Culture:',
    },
    'Select-Xml': { params: 'Path: LiteralPath|PSPath|LP: Xml|Node: Content: XPath: Namespace:' },
    'Join-String': {
      params:
        'InputObject: Separator: OutputPrefix|op: OutputSuffix|os: SingleQuote DoubleQuote FormatString: UseCulture',
      rules: { Property: PLAIN },
      positions: 'Property',
      gives: 'text',
    },
    'New-Object': {
      params: 'ArgumentList|Args: Property: Strict',
      rules: {
        TypeName: {
          match:
            '^(?:System\\.)?(?:PSObject|PSCustomObject|Object|Management\\.Automation\\.PSObject|Collections\\.(?:ArrayList|Hashtable|Queue|Stack|SortedList)|Collections\\.Generic\\.(?:List|Dictionary|HashSet|Queue|Stack)(?:\\[[\\w.,\\[\\]]+\\]|`\\d\\[[\\w.,\\[\\]]+\\])|Text\\.StringBuilder|Text\\.UTF8Encoding|Net\\.Sockets\\.(?:TcpClient|UdpClient)|DateTime|TimeSpan|Version|Uri|Guid|Random|Diagnostics\\.Stopwatch|Security\\.Principal\\.(?:WindowsPrincipal|SecurityIdentifier|NTAccount)|Xml\\.XmlDocument)$',
        },
        ComObject: { match: '^Microsoft\\.Update\\.(?:Session|SystemInfo|AutoUpdate)$' },
      },
      positions: 'TypeName ArgumentList',
      gives: 'object',
    },
    'New-TimeSpan': { params: 'Start|LastWriteTime: End: Days: Hours: Minutes: Seconds: Milliseconds:' },
    'New-Guid Get-Random Get-SecureRandom': { params: 'Minimum: Maximum: SetSeed: InputObject: Count: Shuffle Empty' },
    'Get-Date': {
      params:
        'Date|LastWriteTime: Year: Month: Day: Hour: Minute: Second: Millisecond: DisplayHint: Format: UFormat: AsUTC UnixTimeSeconds|UnixTime:',
    },
    'Get-Host Get-Culture Get-UICulture Get-History Get-PSCallStack Get-Error Get-Verb Get-TypeData Get-FormatData Get-PSBreakpoint Get-Runspace Get-EventSubscriber':
      {
        params:
          'Id: Count: Newest: Name: ListAvailable NoUserOverrides Verb: Group: TypeName: PowerShellVersion: Script: Variable: Command: Type:',
      },
    'Get-Variable': { params: 'Name: ValueOnly Include: Exclude: Scope:' },
    'Test-Json': { params: 'Json: Path: LiteralPath: Schema: SchemaFile: Options:' },
    'ConvertTo-SecureString': { params: 'String: SecureKey: Key: AsPlainText Force' },
    'Start-Sleep': { params: 'Seconds: Milliseconds|ms: Duration:' },
    'Clear-Host Set-StrictMode': { params: 'Version: Off' },
    'Set-Location Push-Location Pop-Location Get-Location': {
      params: 'Path: LiteralPath|PSPath|LP: PassThru StackName: PSProvider: PSDrive: Stack',
    },
  },
  examples: {
    read_only: [
      "Get-Service | Where-Object Status -eq 'Running' | ft -a",
      'Get-Service | ? { $_.Status -ne "Running" -and $_.StartType -eq "Automatic" }',
      'gps | sort WS -desc | select -f 15 | ft -a',
      'Get-Process | Group-Object { $_.Company } | select Name,Count',
      'Get-Process | % Name',
      'Get-Process | ForEach-Object { $_.Name.ToUpper() }',
      'Get-Process | ForEach-Object -Begin { $n = 0 } -Process { $n++ } -End { $n }',
      'Get-ChildItem | measure Length -Sum',
      'Get-ChildItem | select Name,@{n="MB";e={[math]::Round($_.Length/1MB,1)}}',
      'Get-Process | ConvertTo-Csv -NoTypeInformation | Out-String -Width 200',
      'Compare-Object (gc a) (gc b)',
      '1..5 | % { Test-Connection "web$_" -Count 1 -Quiet }',
      '(Get-Date).AddDays(-7)',
      '$l = New-Object System.Collections.ArrayList; $l.Add(5) | Out-Null; $l.Count',
      'Measure-Command { Get-Service }',
      '$x = [pscustomobject]@{ A = 1; B = (Get-Date) }; $x | fl',
      "@('a','b') | Sort-Object -Unique",
      'Write-Host "done" -ForegroundColor Green',
      'Get-Process -ErrorVariable +err -OutVariable procs | Out-Null; $procs.Count',
      '$sw = [System.Diagnostics.Stopwatch]::StartNew(); Get-Process | Out-Null; $sw.Stop(); $sw.Elapsed',
      '$b = [System.Text.StringBuilder]::new(); [void]$b.AppendLine("x"); $b.ToString()',
    ],
    unknown: [
      'Get-Process | ? $f',
      'Get-Process | % $f',
      'Get-Process | % -MemberName Kill',
      'Get-Process | % Kill',
      'Get-Process | Sort-Object $x',
      'Get-Process -OutVariable $x',
      'Get-Process -OutVariable PSDefaultParameterValues',
      "$c = 'Win32_BIOS'; Get-Process -OutVariable c; gcim $c",
      "$c = 'Win32_BIOS'; Get-Process -ov c; gcim $c",
      'foreach ($PSDefaultParameterValues in 1) { Get-Process }',
      'Invoke-Command { param($PSDefaultParameterValues) Get-Process } -ArgumentList 1',
      '$l = New-Object System.Collections.ArrayList; $l.Stop()',
      "$q = [System.Collections.Queue]::new(); $q.Add('x')",
      'Get-Process -ErrorAction Break',
      'Get-Process -ErrorAction Inquire',
      'New-Object -ComObject WScript.Shell',
      'New-Object Net.WebClient',
      'Get-Process | select (Get-Command f).ScriptBlock',
      'Add-Member -MemberType ScriptMethod x {1}',
      'Get-Process | Select-Object -Frobnicate 5',
      '$x.Replace("a","b")',
      'Get-Process | Out-GridView',
    ],
    mutating: [
      'Get-Process | ? { Stop-Process $_; $true }',
      'Get-Process | select @{n="x";e={Remove-Item C:\\x}}',
      'Get-Process | Group-Object { rm C:\\x }',
      'Measure-Command { rm C:\\x }',
      'Write-Host (Set-Content a b)',
      'Write-Output "$(Remove-Item C:\\x)"',
      'Get-Process | Tee-Object C:\\x',
    ],
  },
} as const satisfies CmdletFamily;
