const WIN32 =
  `Account ACE ActiveRoute BaseBoard BaseService Battery BIOS BootConfiguration BootConfiguration Bus CacheMemory CDROMDrive
  ClusterShare CodecFile ComputerShutdownEvent ComputerSystem ComputerSystemProduct CurrentProbe CurrentTime DCOMApplication
  DCOMApplicationSetting Desktop DesktopMonitor DeviceGuard DeviceMemoryAddress DfsNode DfsTarget Directory DiskDrive
  DiskDrivePhysicalMedia DiskDriveToDiskPartition DiskPartition DiskQuota DisplayConfiguration DMAChannel DNSZone EncryptableVolume
  Environment Fan FloppyDrive Group GroupInDomain GroupUser IDEController IP4PersistedRouteTable IP4RouteTable IRQResource Keyboard
  LoadOrderGroup LocalTime LoggedOnUser LogicalDisk LogicalDiskToPartition LogicalFileSecuritySetting LogicalShareSecuritySetting
  LogonSession MappedLogicalDisk MemoryArray MemoryDevice MotherboardDevice MountPoint NetworkAdapter NetworkAdapterConfiguration
  NetworkAdapterSetting NetworkClient NetworkConnection NetworkLoginProfile NetworkProtocol NTDomain NTEventlogFile NTLogEvent
  OnBoardDevice OperatingSystem OptionalFeature PageFile PageFileSetting PageFileUsage PhysicalMedia PhysicalMemory PhysicalMemoryArray
  PingStatus PnPEntity PnPSignedDriver PointingDevice PortableBattery PortConnector PowerPlan Printer PrinterConfiguration PrinterDriver
  PrintJob Process Processor ProgramGroup Proxy QuickFixEngineering QuotaSetting RecoveryConfiguration Registry ReliabilityRecords
  ReliabilityStabilityMetrics ScheduledJob SCSIController ServerConnection ServerFeature ServerSession Service ServiceControl SessionProcess
  ShadowCopy ShadowProvider ShadowStorage Share SoundDevice StartupCommand SystemAccount SystemDriver SystemEnclosure SystemServices
  SystemSlot SystemTimeZone SystemUsers TapeDrive TCPIPPrinterPort TemperatureProbe TerminalService TerminalServiceSetting Thread TimeZone
  Tpm TSGeneralSetting TSLogonSetting UninterruptiblePowerSupply USBController USBControllerDevice USBHub UserAccount UserProfile UTCTime
  VideoController VoltageProbe Volume VolumeQuota VolumeUserQuota WinSAT`
    .split(/\s+/)
    .map((name) => `win32_${name.toLowerCase()}`);

const OTHER = `CIM_DataFile CIM_LogicalDisk CIM_OperatingSystem CIM_Process CIM_Processor CIM_ComputerSystem CIM_Service
  AntiVirusProduct AntiSpywareProduct FirewallProduct MSAcpi_ThermalZoneTemperature MSStorageDriver_FailurePredictStatus
  MSStorageDriver_FailurePredictData WmiMonitorID BatteryStatus BatteryFullChargedCapacity BatteryStaticData SoftwareLicensingProduct
  SoftwareLicensingService Lenovo_BiosSetting HP_BIOSSetting StdRegProv __Namespace __NAMESPACE ServerManager`
  .split(/\s+/)
  .map((name) => name.toLowerCase());

const CLASSES: readonly string[] = [...WIN32, ...OTHER];
/** Classes whose instances are only read: those above, performance counters, and the classes of storage, network, Hyper-V, clusters and DNS. */
export const CLASS_PATTERN = `^(?:${CLASSES.join('|')}|win32_perf(?:formatted|raw)data_\\w+|(?:msft|msvm|mscluster|microsoftdns)_\\w+)$`;
const READABLE = new RegExp(CLASS_PATTERN, 'i');

/** Whether asking for the instances of a WMI class only reads. Win32_Product and its kin repair packages and are not among them. */
export function isReadableClass(name: string): boolean {
  return READABLE.test(name);
}

const QUERY = /^\s*select\s+[\w*,\s.]+?\s+from\s+(\w+)\s*(?:where\s.*)?$/is;

/** Whether a WQL text selects from a class that only reads. */
export function isReadableQuery(text: string): boolean {
  const name = QUERY.exec(text)?.[1];
  return name !== undefined && isReadableClass(name);
}

/** Whether asking for this class is known to make the installer check and repair packages. */
export function repairsPackages(text: string): boolean {
  return /\bwin32_(?:product|software\w*)\b/i.test(text);
}
