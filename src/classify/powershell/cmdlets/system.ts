import { CLASS_PATTERN } from '../../windows/wmi-classes.js';
import type { CmdletFamily, ParameterRule } from './types.js';

const CIM = 'CimSession|Session: ThrottleLimit:';
const MODULES: ParameterRule = {
  match:
    '^(?:ActiveDirectory|ADDSDeployment|ADFS|AppLocker|BestPractices|BitsTransfer|ClusterAwareUpdating|dbatools|Deduplication|DeliveryOptimization|EventTracingManagement|FileServerResourceManager|IscsiTarget|Kds|LAPS|MPIO|PSDesiredStateConfiguration|PSDiagnostics|ProcessMitigations|SecureBoot|TLS|UEV|Wdac|Whea|WindowsErrorReporting|Appx|BitLocker|CimCmdlets|ConfigDefender|Defender|DFSN|DFSR|DhcpServer|Dism|DnsClient|DnsServer|FailoverClusters|GroupPolicy|Hyper-V|IISAdministration|International|iSCSI|Microsoft\\.PowerShell\\.\\w+|MSDTC|NetAdapter|NetConnection|NetSecurity|NetTCPIP|NetEventPacketCapture|NetLbfo|NetNat|NetQos|NetSwitchTeam|NFS|PKI|PnpDevice|PrintManagement|PSReadLine|PSScheduledJob|PSWindowsUpdate|RemoteDesktop|RemoteAccess|ScheduledTasks|ServerManager|ServerManagerTasks|SmbShare|SmbWitness|SqlServer|SQLPS|Storage|StorageReplica|TrustedPlatformModule|UpdateServices|VpnClient|WebAdministration|WindowsUpdate|WindowsServerBackup)$',
};

/** Processes, services, events, tasks, WMI, updates, and PowerShell itself. */
export const SYSTEM = {
  effect: 'read_only',
  commands: {
    'Get-Process': {
      params: 'Name|ProcessName: Id|PID: InputObject: IncludeUserName Module FileVersionInfo|FV|FVI ComputerName|Cn:',
    },
    'Get-Service': {
      params:
        'Name|ServiceName: DisplayName: Include: Exclude: InputObject: DependentServices|DS RequiredServices|SDO|ServicesDependedOn ComputerName|Cn:',
    },
    'Get-WinEvent': {
      params:
        'LogName: ListLog: ListProvider: ProviderName: Path|PSPath: MaxEvents: FilterXPath: FilterXml: FilterHashtable: Oldest Force ComputerName|Cn: Credential:',
    },
    'Get-EventLog': {
      params:
        'LogName|LN: InstanceId: ComputerName|Cn: Newest: After: Before: UserName: Index: EntryType|ET: Source|ABO: Message|MSG: AsBaseObject List AsString',
    },
    'Get-Counter': { params: 'Counter: ListSet: SampleInterval: MaxSamples: Continuous ComputerName|Cn:' },
    'Import-Counter': { params: 'Path|PSPath: StartTime: EndTime: Counter: MaxSamples: ListSet: Summary' },
    'Get-HotFix Get-ComputerInfo Get-TimeZone Get-Uptime Get-WindowsErrorReporting Get-ComputerRestorePoint Get-ControlPanelItem Get-CimSession Get-PSSession Get-Job Get-PSSnapin Get-PSSessionConfiguration Get-ExecutionPolicy Get-ExperimentalFeature Get-PSHostProcessInfo Get-Transaction Get-DscResource Get-Tpm Get-TpmSupportedFeature Get-TlsCipherSuite Get-TlsEccCurve Confirm-SecureBootUEFI Get-SecureBootPolicy Get-ProcessMitigation Get-BitsTransfer Get-PSReadLineOption Get-PSSessionCapability Get-WSManCredSSP Get-StartApps Get-DeliveryOptimizationStatus Get-DeliveryOptimizationPerfSnap Get-OdbcDsn Get-OdbcDriver Get-OdbcPerfCounter Get-EtwTraceSession Get-EtwTraceProvider Get-AutologgerConfig Get-WindowsReservedStorageState Get-BpaModel Get-BpaResult Get-CertificateAutoEnrollmentPolicy Get-CertificateEnrollmentPolicyServer Get-RemoteAccess Get-RemoteAccessHealth Get-RemoteAccessConnectionStatistics Get-VpnS2SInterface Get-DAConnectionStatus Get-HnsNetwork Get-HnsEndpoint Get-WindowsSearchSetting Get-WheaMemoryPolicy Get-DscConfigurationStatus Get-DscLocalConfigurationManager':
      {
        params: `${CIM} Id|HFID: Description: ComputerName|Cn: Credential: Property: Name: ListAvailable Since RestorePoint: LastStatus Category: CanonicalName: InstanceId: State: Registered List Scope: All System AllUsers DsnType: Platform: DriverName: ModelId: Verbose`,
      },
    'Get-CimInstance': {
      params: `${CIM} Filter: Property: Namespace: KeyOnly ComputerName|Cn|ServerName: OperationTimeoutSec|OT: QueryDialect: Shallow ResourceUri: InputObject|CimInstance:`,
      rules: { ClassName: { match: CLASS_PATTERN }, Query: { holds: 'wql' } },
      positions: 'ClassName Property',
      needsFed: 'ClassName Query',
    },
    'Get-WmiObject': {
      params:
        'Filter: Property: Namespace|NS: ComputerName|Cn: Credential: Amended DirectRead List Recurse EnableAllPrivileges Impersonation: Authentication: Locale: ThrottleLimit:',
      rules: { 'Class|ClassName': { match: CLASS_PATTERN }, Query: { holds: 'wql' } },
      positions: 'Class Property',
    },
    'Get-CimClass': {
      params: `${CIM} ClassName: Namespace: MethodName: PropertyName: QualifierName: ComputerName|Cn: OperationTimeoutSec:`,
    },
    'Get-CimAssociatedInstance': {
      params: `${CIM} InputObject|CimInstance: Namespace: ComputerName|Cn: KeyOnly OperationTimeoutSec:`,
      rules: { ResultClassName: { match: CLASS_PATTERN }, Association: { match: '^Win32_\\w+$' } },
      needs: 'ResultClassName',
      positions: 'InputObject Association',
    },
    'Get-ScheduledTask Get-ScheduledTaskInfo Get-ClusteredScheduledTask Export-ScheduledTask': {
      params: `${CIM} TaskName: TaskPath: InputObject: Cluster: TaskType:`,
    },
    'Get-ScheduledJob Get-JobTrigger': { params: 'Id: Name: InputObject: TriggerId:' },
    'Get-WindowsFeature Get-WindowsOptionalFeature Get-WindowsCapability Get-WindowsPackage Get-WindowsDriver Get-WindowsEdition Get-WindowsImage Get-AppxPackage Get-AppxProvisionedPackage Get-AppxLog Get-AppxVolume':
      {
        params:
          'Name: ComputerName|Cn: Credential: Online Path: FeatureName: PackageName: PackagePath: CapabilityName: Driver: All LimitAccess ImagePath: Index: Mounted AllUsers User: Publisher: PackageTypeFilter: Volume: Last: Target:',
      },
    'Get-Module': {
      params:
        'Name: FullyQualifiedName: ListAvailable All PSEdition: SkipEditionCheck Refresh PSSession: CimSession: CimNamespace: CimResourceUri:',
    },
    'Get-InstalledModule Get-InstalledScript Get-PSRepository Get-PackageSource Get-Package Find-Module Find-Script Find-Package Find-Command Get-PSResource Get-InstalledPSResource Find-PSResource Get-PSResourceRepository':
      {
        params:
          'Name: AllVersions AllowPrerelease RequiredVersion: MinimumVersion: MaximumVersion: Repository: Tag: Version: Scope: Filter: Command: Includes: Type: Prerelease',
      },
    'Get-Command': {
      params:
        'Name: Verb: Noun: Module|PSSnapin: FullyQualifiedModule: CommandType|Type: TotalCount: Syntax ShowCommandInfo ArgumentList|Args: All ListImported ParameterName: ParameterType: UseFuzzyMatching FuzzyMinimumDistance: UseAbbreviationExpansion',
    },
    'Get-Alias': { params: 'Name: Exclude: Scope: Definition:' },
    'Get-Help': { params: 'Name: Path: Category: Full Detailed Examples Parameter: Component: Functionality: Role:' },
    'Import-Module': {
      params:
        'DisableNameChecking|DNC SkipEditionCheck UseWindowsPowerShell Scope: Global RequiredVersion: MinimumVersion: Force NoClobber|NoOverwrite Verbose',
      rules: {
        Name: MODULES,
        'PassThru Prefix Function Cmdlet Variable Alias ArgumentList FullyQualifiedName Assembly ModuleInfo PSSession CimSession':
          { effect: 'unknown' },
      },
      positions: 'Name',
      needsFed: 'Name',
      why: 'loads a module of Windows, as its commands do by themselves',
    },
    'Invoke-Command': {
      params:
        'ComputerName|Cn: Session: Credential: Port: UseSSL ConfigurationName: ApplicationName: ThrottleLimit: HideComputerName|HCN ConnectionUri|URI|CU: AllowRedirection SessionOption: Authentication: EnableNetworkAccess InputObject: ArgumentList|Args: CertificateThumbprint: VMId|VMGuid: VMName: ContainerId: RunAsAdministrator NoNewScope HostName: UserName: KeyFilePath: SSHTransport',
      rules: {
        'ScriptBlock|Command': { holds: 'block' },
        First: { holds: 'block', match: '^[\\w.-]+$' },
        'FilePath|PSPath AsJob JobName InDisconnectedSession SessionName': { effect: 'unknown' },
      },
      positions: 'First',
      why: 'runs the block',
    },
    'Get-MpComputerStatus Get-MpPreference Get-MpThreat Get-MpThreatDetection Get-MpThreatCatalog Get-MpPerformanceReport':
      { params: `${CIM} ThreatID:` },
    'Get-WUHistory Get-WUSettings Get-WUServiceManager Get-WURebootStatus Get-WUInstallerStatus Get-WULastResults Get-WUApiVersion':
      {
        params: 'ComputerName: Last: MaxDate: Silent Credential: ServiceID:',
      },
    // It installs with one of these.
    'Get-WindowsUpdate': {
      params:
        'ComputerName: Category: NotCategory: KBArticleID: NotKBArticleID: Title: NotTitle: UpdateID: NotUpdateID: Severity: MicrosoftUpdate WindowsUpdate ServiceID: RootCategories: IsInstalled IsHidden Criteria: UpdateType: WithHidden',
      rules: {
        'Install Download AcceptAll AutoReboot IgnoreReboot ForceInstall ForceDownload Hide|HideUpdate Unhide ScheduleJob SendReport SendHistory':
          { effect: 'mutating', alone: true },
      },
    },
    'Get-PnpDevice Get-PnpDeviceProperty': {
      params: `${CIM} FriendlyName: InstanceId|DeviceId: Class: PresentOnly Status: InputObject: KeyName:`,
    },
    'Get-Printer Get-PrinterPort Get-PrinterDriver Get-PrintJob Get-PrintConfiguration Get-PrinterProperty': {
      params: `${CIM} Name: ComputerName|Cn: Full PrinterName: PrinterObject: ID: InputObject: PropertyName: PrinterEnvironment:`,
    },
    'Wait-Job': { params: 'Id: Name: Job: State: Any Timeout: InstanceId: Filter: Force' },
    'Receive-Job': { params: 'Id: Name: Job: Keep InstanceId: ComputerName: Session: Location:', needs: 'Keep' },
  },
  examples: {
    read_only: [
      'Get-Process -Name sqlservr | fl *',
      'Get-Service spooler,w3svc',
      "Get-WinEvent -FilterHashtable @{LogName='System'; Level=1,2; StartTime=(Get-Date).AddHours(-24)} -MaxEvents 50",
      'Get-EventLog System -Newest 20 -EntryType Error',
      "Get-Counter '\\Processor(_Total)\\% Processor Time' -SampleInterval 1 -MaxSamples 3",
      'Get-WmiObject Win32_LogicalDisk -Filter "DriveType=3"',
      'gcim Win32_OperatingSystem | select LastBootUpTime',
      'Get-CimInstance -ClassName MSFT_PhysicalDisk -Namespace root/Microsoft/Windows/Storage',
      'gwmi -Query "SELECT Name FROM Win32_Service WHERE State = \'Running\'"',
      '$c = "Win32_Service"; gcim $c',
      '$p = @{ ClassName = "Win32_BIOS" }; Get-CimInstance @p',
      'Get-ScheduledTask | Get-ScheduledTaskInfo',
      'Get-WindowsFeature | ? Installed',
      'Get-Command -Module Defender',
      'Import-Module ActiveDirectory; Get-ADUser bob',
      'Get-CimSession | Get-CimInstance Win32_BIOS',
      'Invoke-Command -ComputerName web1,web2 -ScriptBlock { Get-Service w3svc }',
      'icm web1 { param($n) Get-Service $n } -ArgumentList w3svc',
      'Get-HotFix | sort InstalledOn',
      'Get-WindowsUpdate',
      'Receive-Job 1 -Keep',
      'powershell -NoProfile -Command { Get-Service }',
    ],
    unknown: [
      'Get-WmiObject Win32_Foo',
      'Get-WmiObject $c',
      'Get-CimInstance -Query "SELECT * FROM Foo"',
      'Import-Module C:\\deploy\\App.psm1',
      'Get-Item C:\\deploy\\App.psm1 | Import-Module',
      '[pscustomobject]@{ ClassName = "Win32_Product" } | Get-CimInstance',
      'Invoke-Command -FilePath C:\\x.ps1 -ComputerName web1',
      'Invoke-Command -ComputerName web1 -ScriptBlock $sb',
      'Invoke-Command { Get-Service } -AsJob',
      'Get-Service -AsFrob',
      'Receive-Job 1',
      'if ($false) { $c = "Win32_Service" }; gcim $c',
      '$p = @{ ClassName = "Win32_BIOS" }; $q = $p; $q.ClassName = "x"; Get-CimInstance @p',
      'Get-Help x -Online',
      'Get-Credential',
    ],
    mutating: [
      'Get-WmiObject Win32_Product',
      'gcim -ClassName win32_product',
      'gcim -Query "select * from Win32_Product"',
      '$c = "Win32_Product"; gcim $c',
      'Get-WindowsUpdate -Install -AcceptAll',
      'Invoke-Command -ComputerName web1 { Restart-Service w3svc }',
      'Get-Service | Stop-Service',
      'Get-WindowsUpdateLog',
    ],
  },
} as const satisfies CmdletFamily;
