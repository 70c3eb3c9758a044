import type { CmdletFamily, CmdletSpec } from './types.js';

/** Nouns by verb: real cmdlets that change something, whatever their parameters. `-WhatIf` is no proof: a default may turn it off. */
const NOUNS: Readonly<Record<string, string>> = {
  Add: `ADComputerServiceAccount ADGroupMember ADPrincipalGroupMembership ADFineGrainedPasswordPolicySubject AppxPackage AppxProvisionedPackage
    BitLockerKeyProtector ClusterDisk ClusterGenericServiceRole ClusterGroup ClusterNode ClusterResource ClusterSharedVolume
    ClusterVirtualMachineRole Computer Content DhcpServerInDC DhcpServerv4ExclusionRange DhcpServerv4Reservation DhcpServerv4Scope
    DnsClientNrptRule DnsServerConditionalForwarderZone DnsServerForwarder DnsServerPrimaryZone DnsServerResourceRecord
    DnsServerResourceRecordA DnsServerResourceRecordCName DnsServerResourceRecordMX DnsServerResourceRecordPtr DnsServerSecondaryZone
    History LocalGroupMember MpPreference NetLbfoTeamMember NetNatStaticMapping OdbcDsn PartitionAccessPath PhysicalDisk Printer PrinterDriver
    PrinterPort VMDvdDrive VMHardDiskDrive VMNetworkAdapter VMSwitch VpnConnection WebConfiguration WebConfigurationProperty WindowsCapability
    WindowsDriver WindowsFeature WindowsPackage WUServiceManager IscsiVirtualDiskTargetMapping RDServer RDSessionHost SqlAvailabilityDatabase`,
  Backup: 'BitLockerKeyProtector CARoleService DhcpServer GPO SqlDatabase WebConfiguration DbaDatabase',
  Block: 'FileShareAccess SmbShareAccess SmbClientAccessToServer',
  Checkpoint: 'Computer VM IscsiVirtualDisk',
  Clear: `ADAccountExpiration ADClaimTransformLink Content Disk DnsClientCache DnsServerCache EventLog FileStorageTier Item ItemProperty
    RecycleBin StorageDiagnosticInfo WebConfiguration WebRequestTracingSetting WebCentralCertProvider ClusterDiskReservation BitLockerAutoUnlock`,
  Close: 'SmbOpenFile SmbSession',
  Complete: 'BitsTransfer DtcDiagnosticTransaction Transaction',
  Compress: 'Archive',
  Connect: 'IscsiTarget VirtualDisk',
  Convert: 'VHD',
  Copy: 'Item ItemProperty GPO NetFirewallRule NetIPsecRule VMFile',
  Debug: 'Process',
  Delete: 'DeploymentProperty',
  Disable: `ADAccount ADOptionalFeature BitLocker BitLockerAutoUnlock ComputerRestore JobTrigger LocalUser NetAdapter NetAdapterBinding
    NetAdapterRss NetFirewallRule NetIPsecRule NetLbfoTeam PnpDevice PSBreakpoint PSRemoting PSSessionConfiguration RunspaceDebug ScheduledJob
    ScheduledTask ServerManagerStandardUserRemoting SmbDelegation TlsCipherSuite VMConsoleSupport VMIntegrationService VMReplication WebGlobalModule
    WindowsErrorReporting WindowsOptionalFeature WSManCredSSP Mailbox DedupVolume`,
  Disconnect: 'IscsiTarget VirtualDisk RDUser',
  Dismount: 'DiskImage VHD VMHostAssignableDevice WindowsImage Database',
  Enable: `ADAccount ADOptionalFeature BitLocker BitLockerAutoUnlock ComputerRestore JobTrigger LocalUser NetAdapter NetAdapterBinding
    NetFirewallRule NetIPsecRule PnpDevice PSBreakpoint PSRemoting PSSessionConfiguration ScheduledJob ScheduledTask StorageHighAvailability
    VMIntegrationService VMReplication VMResourceMetering WebGlobalModule WindowsErrorReporting WindowsOptionalFeature WSManCredSSP DedupVolume`,
  Expand: 'Archive IscsiVirtualDisk WindowsCustomDataImage WindowsImage',
  Export: `Alias BinaryMiLog Certificate Clixml Console Counter Csv DhcpServer DnsServerZone FormatData ModuleMember PfxCertificate PSSession
    SmigServerSetting StartLayout VM VMSnapshot WindowsDriver WindowsImage WindowsCapabilitySource AppLockerPolicy`,
  Format: 'Volume SecureBootUEFI',
  Get: 'WindowsUpdateLog ClusterLog GPResultantSetOfPolicy',
  Grant: 'FileShareAccess SmbShareAccess ADAuthenticationPolicySiloAccess DfsnAccess',
  Hide: 'WindowsUpdate VirtualDisk',
  Import: 'Certificate PfxCertificate DhcpServer GPO SmigServerSetting StartLayout VM BinaryMiLog TpmOwnerAuth',
  Initialize: 'Disk Tpm Volume CAWebApplication',
  Install: `ADDSDomain ADDSDomainController ADDSForest ADServiceAccount AdfsFarm CertificationAuthority Language Module Package PackageProvider
    PSResource Script WindowsFeature WindowsUpdate WUJob`,
  Invoke:
    'CimMethod WmiMethod GPUpdate Item WUJob WUInstall DscResource History BpaModel WebCommitDelay DeploymentUpdate CommandInDesktopPackage',
  Lock: 'BitLocker',
  Merge: 'VHD',
  Mount: 'DiskImage VHD WindowsImage VMHostAssignableDevice Database',
  Move: `ADDirectoryServer ADDirectoryServerOperationMasterRole ADObject ClusterGroup ClusterResource ClusterSharedVolume
    ClusterVirtualMachineRole Item ItemProperty VM VMStorage SmbWitnessClient AppxPackage`,
  New: `ADComputer ADGroup ADObject ADOrganizationalUnit ADServiceAccount ADUser Cluster DfsnFolder DfsnRoot EventLog FileShare GPLink GPO IISSite IISSiteBinding
    IscsiVirtualDisk Item ItemProperty LocalGroup LocalUser NetFirewallRule NetIPAddress NetIPsecRule NetLbfoTeam NetNat NetQosPolicy NetRoute
    NetworkSwitch Partition PSDrive PSSessionConfigurationFile SelfSignedCertificate Service SmbMapping SmbShare StoragePool TemporaryFile
    VHD VirtualDisk VM VMSwitch Volume WebApplication WebAppPool WebBinding Website WebVirtualDirectory WinEvent NfsShare Mailbox ModuleManifest`,
  Optimize: 'OfflineDiskData StoragePool VHD Volume AppXProvisionedPackages',
  Out: 'File Printer',
  Publish: 'Module Script PSResource DscConfiguration',
  Register: `CimIndicationEvent DnsClient IscsiSession PackageSource PSRepository PSResourceRepository PSSessionConfiguration
    ScheduledJob ScheduledTask StorageSubsystem WmiEvent ClusteredScheduledTask`,
  Remove: `ADComputer ADComputerServiceAccount ADGroup ADGroupMember ADObject ADOrganizationalUnit ADPrincipalGroupMembership ADServiceAccount ADUser
    AppxPackage AppxProvisionedPackage BitLockerKeyProtector BitsTransfer CimInstance Cluster ClusterGroup ClusterNode ClusterResource Computer
    DhcpServerv4Lease DhcpServerv4Reservation DhcpServerv4Scope DnsServerResourceRecord DnsServerZone EventLog FileShare GPLink GPO IISSite Item
    ItemProperty LocalGroup LocalGroupMember LocalUser MpPreference MpThreat NetFirewallRule NetIPAddress NetIPsecRule NetLbfoTeam NetNat NetRoute
    OdbcDsn Partition PartitionAccessPath PhysicalDisk Printer PrinterDriver PrinterPort PrintJob PSDrive Service SmbMapping SmbShare StoragePool
    VirtualDisk VM VMHardDiskDrive VMNetworkAdapter VMSnapshot VMCheckpoint VMSwitch WBBackupSet WebApplication WebAppPool WebBinding
    WebConfigurationProperty Website WebVirtualDirectory WindowsCapability WindowsDriver WindowsFeature WindowsPackage WmiObject WSManInstance VpnConnection
    Mailbox NfsShare WBPolicy DfsnFolder ClusterSharedVolume ADFineGrainedPasswordPolicy`,
  Rename:
    'ADObject Computer GPO Item ItemProperty LocalGroup LocalUser MaskingSet NetAdapter NetFirewallRule NetLbfoTeam Printer VM VMSnapshot VMSwitch VMNetworkAdapter WebConfigurationLocation',
  Repair: 'FileIntegrity VirtualDisk VM Volume WindowsImage AppVClientPackage BDE ClusterStorageSpacesDirect',
  Reset: `ADServiceAccountPassword ComputerMachinePassword NetAdapterAdvancedProperty PhysicalDisk StorageReliabilityCounter
    IISServerManager DAClientExperienceConfiguration AppxPackage VMReplicationStatistics VMResourceMetering`,
  Resize: 'Partition VHD VirtualDisk StorageTier IscsiVirtualDisk',
  Restart: 'Computer NetAdapter PrintJob Service WebAppPool WebItem VM ClusterVM',
  Restore:
    'ADObject Computer DhcpServer GPO IscsiVirtualDisk NetworkSwitchConfiguration SqlDatabase VMSnapshot VMCheckpoint WebConfiguration DbaDatabase',
  Resume: 'BitLocker BitsTransfer ClusterNode ClusterResource PrintJob Service VM VMReplication',
  Revoke: 'FileShareAccess SmbShareAccess',
  Save: 'Module Package Script PSResource VM WindowsImage NetGPO VolumeSignatureCatalog',
  Send: 'DtcDiagnosticTransaction MailMessage TroubleshootingPack',
  Set: `Acl ADAccountControl ADAccountExpiration ADAccountPassword ADComputer ADDefaultDomainPasswordPolicy ADDomain ADDomainMode ADForest
    ADForestMode ADGroup ADObject ADOrganizationalUnit ADUser AuthenticodeSignature BitsTransfer CimInstance Cluster ClusterParameter
    ClusterOwnerNode Content Culture Date DhcpServerv4OptionValue DhcpServerv4Scope Disk DnsClient DnsClientGlobalSetting DnsClientServerAddress
    DnsServerForwarder DnsServerResourceRecord DnsServerSetting DscLocalConfigurationManager ExecutionPolicy FileIntegrity FileShare GPLink
    GPInheritance GPPermission GPPrefRegistryValue GPRegistryValue IISSiteProperty InitiatorPort Item ItemProperty JobTrigger LocalGroup
    LocalUser MpPreference NetAdapter NetAdapterAdvancedProperty NetAdapterRss NetConnectionProfile NetFirewallPortFilter NetFirewallProfile NetFirewallRule
    NetFirewallSetting NetIPAddress NetIPInterface NetIPsecRule NetOffloadGlobalSetting NetRoute NetTCPSetting Partition PhysicalDisk PnpDevice
    Printer PrinterProperty PSRepository PSSessionConfiguration ScheduledJob ScheduledTask Service SmbClientConfiguration SmbPathAcl
    SmbServerConfiguration SmbShare SqlDatabase StoragePool StorageSetting TimeZone TlsCipherSuite VHD VirtualDisk VM VMDvdDrive VMFirmware
    VMHost VMMemory VMNetworkAdapter VMNetworkAdapterVlan VMProcessor VMReplication VMSwitch Volume WebBinding WebConfiguration
    WebConfigurationProperty WinHomeLocation WinSystemLocale WinUILanguageOverride WinUserLanguageList WindowsEdition WindowsProductKey WmiInstance
    WSManInstance WSManQuickConfig Tpm VpnConnection WBPolicy Mailbox AppLockerPolicy ProcessMitigation ClusterQuorum Culture`,
  Start: `BitsTransfer ClusterGroup ClusterNode ClusterResource DscConfiguration DtcDiagnosticResourceManager IscsiVirtualDiskOperation MpScan MpWDOScan
    Process ScheduledTask Service StorageDiagnosticLog Transcript VM VMFailover VMInitialReplication WBBackup WBFileRecovery WBVolumeRecovery
    WebAppPool WebCommitDelay WebItem Website IISSite ADSyncSyncCycle DedupJob Transaction SqlAgentJob DbaAgentJob NetEventSession`,
  Stop: `BitLocker ClusterGroup ClusterNode ClusterResource Computer Process ScheduledTask Service StorageDiagnosticLog StorageJob VM VMFailover
    VMReplication WBJob WebAppPool WebItem Website IISSite Transcript SqlAgentJob DbaAgentJob NetEventSession RDUserSession DedupJob`,
  Suspend: 'BitLocker BitsTransfer ClusterNode ClusterResource PrintJob Service VM VMReplication',
  Sync: 'ADObject NetIPsecRule DnsServerZone',
  Tee: 'Object',
  Test: 'Cluster',
  Unblock: 'File FileShareAccess SmbShareAccess Tpm',
  Uninstall: 'ADDSDomainController ADServiceAccount Language Module Package PSResource Script WindowsFeature',
  Unlock: 'ADAccount BitLocker',
  Unpublish: 'ADServiceAccount',
  Unregister:
    'PackageSource PSRepository PSSessionConfiguration ScheduledJob ScheduledTask StorageSubsystem IscsiSession',
  Update: `DfsrConfigurationFromAD Disk Help HostStorageCache LapsADSchema LapsADPassword Module MpSignature PSResource Script SmigServerSetting
    StorageFirmware StoragePool StorageProviderCache VMVersion WindowsFeature IscsiTarget IscsiTargetPortal ClusterFunctionalLevel DscConfiguration`,
  Use: 'WindowsUnattend Transaction',
  Undo: 'Transaction DtcDiagnosticTransaction',
  Write: 'EventLog',
  Limit: 'EventLog',
};

/** Cmdlets that run code which cannot be seen, ask somebody, or change what later commands mean. */
const UNKNOWN = `Invoke-Expression Add-Type Add-PSSnapin Start-Job Start-ThreadJob Enter-PSSession New-PSSession New-CimSession Get-Credential Read-Host
  Trace-Command Set-Alias New-Alias Set-Variable New-Variable Clear-Variable Remove-Variable Import-Alias New-Module Remove-Module Import-PSSession
  Export-PSSession Register-ObjectEvent Register-EngineEvent Set-PSBreakpoint Set-PSDebug Update-TypeData Update-FormatData Out-GridView Show-Command
  Invoke-Pester Invoke-WebScript Invoke-BuildScript Set-Clipboard Clear-History Stop-Job Remove-Job Suspend-Job Resume-Job Remove-PSSession
  Disconnect-PSSession Connect-PSSession Receive-PSSession Exit-PSSession Remove-PSSnapin Enable-RunspaceDebug Debug-Job Debug-Runspace New-Event
  Wait-Event Wait-Process Save-Help`;

function commands(): Record<string, CmdletSpec> {
  const changers = Object.entries(NOUNS).flatMap(([verb, nouns]) =>
    nouns.split(/\s+/).map((noun) => `${verb}-${noun}`),
  );
  return { [[...new Set(changers)].join(' ')]: {}, [UNKNOWN.split(/\s+/).join(' ')]: { effect: 'unknown' } };
}

/** Cmdlets whose every call is taken for a change, and those whose effect cannot be told. */
export const CHANGERS: CmdletFamily = {
  effect: 'mutating',
  commands: commands(),
  examples: {
    read_only: [],
    unknown: [
      "iex 'rm C:\\x'",
      'Add-Type -Path C:\\x.dll',
      'Start-Job { Get-Service }',
      'Set-Alias gs Remove-Item',
      'Remove-Foo x',
      'sal x y',
      'New-PSSession web1',
      'Read-Host x',
    ],
    mutating: [
      'Stop-Service w3svc',
      'Set-Service spooler -StartupType Disabled',
      'Set-ItemProperty HKLM:\\Software\\x a 1',
      'New-Item C:\\x',
      'Restart-Computer -Force',
      'Start-Service x -WhatIf',
      'Stop-Process -Name x -Confirm:$false',
      'Export-Csv C:\\x',
      'Get-Process | Export-Csv C:\\x',
      'ri C:\\x',
      'sp HKLM:\\X Y 1',
      'sc C:\\x y',
      'Copy-Item a b',
      'Expand-Archive a b',
      'Get-Process | Out-File x',
      'Set-ExecutionPolicy RemoteSigned',
      'Invoke-CimMethod -ClassName Win32_Process -MethodName Create',
      'Start-Process x.exe',
      'Install-WindowsFeature x',
      'saps x',
    ],
  },
};
