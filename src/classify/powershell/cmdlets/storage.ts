import type { CmdletFamily } from './types.js';

const CIM = 'CimSession|Session: ThrottleLimit:';

/** Disks, volumes, encryption, backups, and virtual machines. */
export const STORAGE = {
  effect: 'read_only',
  commands: {
    'Get-Disk Get-Partition Get-Volume Get-PhysicalDisk Get-VirtualDisk Get-StoragePool Get-StorageSubSystem Get-StorageReliabilityCounter Get-StorageJob Get-StorageTier Get-StorageNode Get-StorageEnclosure Get-StorageHealthReport Get-StorageHealthAction Get-StorageAdvancedProperty Get-PartitionSupportedSize Get-SupportedFileSystems Get-SupportedClusterSizes Get-DiskImage Get-DiskStorageNodeView Get-InitiatorPort Get-InitiatorId Get-TargetPort Get-IscsiTarget Get-IscsiSession Get-IscsiConnection Get-IscsiTargetPortal Get-ResiliencySetting Get-StorageSetting Get-StorageFirmwareInformation Get-StorageFaultDomain Get-StorageProvider Get-StorageExtendedStatus Get-PhysicalDiskStorageNodeView Get-PhysicalExtent Get-StorageHistory Get-MaskingSet Get-StorageHealthSetting Get-IscsiVirtualDisk Get-IscsiServerTarget Get-IscsiTargetServerSetting Get-FsrmQuotaTemplate Get-FsrmFileGroup Get-FsrmSetting Get-FsrmAutoQuota Get-FsrmStorageReport Get-SRAccess Get-SRDelegation Get-MSDSMGlobalDefaultLoadBalancePolicy Get-MPIOSetting Get-FileIntegrity Get-DedupStatus Get-DedupVolume Get-DedupJob Get-DedupSchedule Get-FsrmQuota Get-FsrmFileScreen Get-SRGroup Get-SRPartnership Get-VolumeScrubPolicy Get-OffloadDataTransferSetting Get-ClusterStorageSpacesDirect Get-FileStorageTier':
      {
        params: `${CIM} Number|DeviceId: UniqueId|Id: FriendlyName|DiskFriendlyName: SerialNumber: Path|PSPath: DiskNumber: DiskId: PartitionNumber: DriveLetter: ObjectId: FileSystemLabel: FilePath: InputObject: Disk: Partition: Volume: PhysicalDisk: VirtualDisk: StoragePool: StorageSubSystem: StorageNode: StorageEnclosure: StorageJob: iSCSISession: iSCSIConnection: HealthStatus: Usage: IsPrimordial: CanPool: PhysicallyConnected HasAllocations: MediaType: ImagePath: DevicePath: StorageType: FileName: Name: Description: Manufacturer: Model: NodeAddress: TargetPortalAddress: ResourceGroup: FileSystem: DiskImage: IsDeduplicated: ComputerName: Offset: Size:`,
      },
    'Get-BitLockerVolume': { params: 'MountPoint:' },
    'Get-WBJob Get-WBSummary Get-WBPolicy Get-WBBackupSet Get-WBDisk Get-WBVolume Get-WBSchedule Get-WBBackupTarget': {
      params: 'Previous: Policy: Editable BackupTarget: MachineName: Disk: AllVolumes CriticalVolumes:',
    },
    // Flushing makes no logical change.
    'Write-VolumeCache': { params: `${CIM} DriveLetter: ObjectId: Path: FileSystemLabel: InputObject: PassThru` },
    'Get-VM Get-VMHost Get-VMSnapshot Get-VMCheckpoint Get-VMNetworkAdapter Get-VMSwitch Get-VMHardDiskDrive Get-VMDvdDrive Get-VMMemory Get-VMProcessor Get-VMFirmware Get-VMBios Get-VMReplication Get-VMReplicationServer Get-VMIntegrationService Get-VMGroup Get-VMHostSupportedVersion Get-VMSecurity Get-VMScsiController Get-VMIdeController Get-VMComPort Get-VMNetworkAdapterVlan Get-VMMigrationNetwork Get-VMSan Get-VHD Get-VHDSet Get-VHDSnapshot Get-VMConnectAccess Get-VMResourcePool Get-VMHostNumaNode Get-VMHostNumaNodeStatus Get-VMSwitchTeam Get-VMSwitchExtension Get-VMSystemSwitchExtension Get-VMStorageSettings Get-VMVideo Get-VMKeyProtector Get-VMAssignableDevice Get-VMHostAssignableDevice Get-VMReplicationAuthorizationEntry Get-VMNetworkAdapterAcl Get-VMNetworkAdapterTeamMapping Get-VMNetworkAdapterIsolation Get-VMConsoleSupport Get-VMFibreChannelHba Get-VMFloppyDiskDrive Get-VMPartitionableGpu Get-VMGpuPartitionAdapter Measure-VMReplication Measure-VMResourcePool Measure-VM':
      {
        params:
          'Name|VMName: ComputerName: Credential: CimSession: Id|VMId: VM: ClusterObject: Path: DiskNumber: VMSnapshot|VMCheckpoint: SnapshotType: All ManagementOS SwitchType: SwitchName: ControllerType: ControllerNumber: ControllerLocation: ParentOf: ChildOf: ReplicationMode: ReplicationState: ReplicationHealth: PrimaryServerName: ReplicaServerName: NetworkAdapterName: VMNetworkAdapter: VMHost: Default Id:',
      },
    // Rejects are read; `-Passthru` and the like of other cmdlets of Test- write reports.
    'Test-VHD': { params: 'Path: ComputerName: Credential: CimSession: SupportPersistentReservations' },
  },
  examples: {
    read_only: [
      'Get-Volume | ft DriveLetter,SizeRemaining,Size',
      'Get-Disk | ? OperationalStatus -ne Online',
      'Get-PhysicalDisk | Get-StorageReliabilityCounter | fl',
      'Get-BitLockerVolume C:',
      'Get-VM | ? State -eq Running',
      'Get-VMSnapshot -VMName vm1',
      'Write-VolumeCache C',
      'Get-WBSummary',
    ],
    unknown: ['Get-Disk -AsJob', 'Get-VMFoo'],
    mutating: [
      'Format-Volume -DriveLetter E',
      'Checkpoint-VM vm1',
      'Get-VM | Stop-VM',
      'Clear-Disk 1',
      'Optimize-Volume C',
      'Repair-Volume C',
    ],
  },
} as const satisfies CmdletFamily;
