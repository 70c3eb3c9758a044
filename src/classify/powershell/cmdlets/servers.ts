import type { CmdletFamily } from './types.js';

/** IIS, SQL Server, clusters, remote desktop and Exchange. */
export const SERVERS = {
  effect: 'read_only',
  commands: {
    'Get-Website Get-WebBinding Get-WebApplication Get-WebAppPoolState Get-WebsiteState Get-WebVirtualDirectory Get-WebConfigFile Get-WebConfiguration Get-WebConfigurationProperty Get-WebConfigurationLocation Get-WebFilePath Get-WebGlobalModule Get-WebHandler Get-WebManagedModule Get-WebItemState Get-WebRequest Get-WebURL Get-WebCentralCertProvider Get-WebConfigurationBackup Get-IISSite Get-IISAppPool Get-IISConfigSection Get-IISServerManager Get-IISSiteBinding Get-IISSharedConfig Get-IISCentralCertProvider Get-IISConfigCollection Get-IISConfigCollectionElement Get-IISConfigElement Get-IISConfigAttributeValue Get-WebConfigurationLock':
      {
        params:
          'Name: Site: PSPath: Filter: Location: Metadata Recurse Protocol: Port: IPAddress: HostHeader: Application: AppPool: Process: Url: ComputerName: InputObject: Accept: SectionPath: CommitPath: Clr: CollectionName: ConfigElement: ConfigSection: ConfigCollection: ConfigAttribute: ChildElementName: AttributeName: ConfigAttributes:',
      },
    'Invoke-Sqlcmd': {
      params:
        'ServerInstance: Database: Username: Password: Credential: QueryTimeout: ConnectionTimeout: EncryptConnection TrustServerCertificate Encrypt: HostName: MaxCharLength: MaxBinaryLength: OutputAs|As: IncludeSqlUserErrors SuppressProviderContextWarning IgnoreProviderContext DedicatedAdministratorConnection ApplicationIntent: ApplicationName: ErrorLevel: SeverityLevel: AbortOnError DisableVariables DisableCommands OutputSqlErrors: AccessToken: MultiSubnetFailover StatisticsVariable:',
      rules: {
        Query: { holds: 'tsql' },
        'InputFile Variable ConnectionString NewPassword StatisticsVariable': { effect: 'unknown' },
      },
      positions: 'Query',
      needs: 'Query',
    },
    'Get-SqlInstance Get-SqlDatabase Get-SqlAgent Get-SqlAgentJob Get-SqlAgentJobHistory Get-SqlAgentJobSchedule Get-SqlAgentJobStep Get-SqlErrorLog Get-SqlLogin Get-SqlBackupHistory Get-SqlAvailabilityGroup Test-SqlAvailabilityGroup Test-SqlAvailabilityReplica Test-SqlDatabaseReplicaState Read-SqlTableData Read-SqlViewData Read-SqlXEvent Get-DbaAvailabilityGroup Get-DbaAgReplica Get-DbaAgDatabase Get-DbaService Get-DbaMaxMemory Get-DbaWaitStatistic Get-DbaSpConfigure Get-DbaDbFile Get-DbaDbSpace Get-DbaDbBackupHistory Get-DbaLogin Get-DbaBuild Get-DbaConnection Get-DbaIoLatency Test-DbaConnection Get-DbaRunningJob Get-DbaOpenTransaction Get-DbaDatabase Get-DbaAgentJob Get-DbaDiskSpace Get-DbaErrorLog Get-DbaProcess Get-DbaUptime Get-DbaLastBackup Get-DbaAgentJobHistory':
      {
        params:
          'ServerInstance|SqlInstance: Name: Path: InputObject: Credential: SqlCredential: Since: Before: After: JobName: JobID: Database: DatabaseName: OutcomesType: Timespan: Ascending LoginName: LoginType: ConnectionTimeout: TrustServerCertificate Encrypt: ExcludeSystem Status: EnableException IncludeMSShipped Job: SchemaName: TableName: ViewName: TopN: ColumnName: ColumnOrder: OutputAs: Last AvailabilityGroup: ComputerName: Type: Login: Raw Threshold:',
      },
    'Get-Cluster Get-ClusterNode Get-ClusterGroup Get-ClusterResource Get-ClusterNetwork Get-ClusterNetworkInterface Get-ClusterQuorum Get-ClusterSharedVolume Get-ClusterSharedVolumeState Get-ClusterOwnerNode Get-ClusterParameter Get-ClusterAvailableDisk Get-ClusterResourceDependency Get-ClusterResourceType Get-ClusterAccess Get-ClusterFaultDomain Get-ClusterPerf Get-ClusterPerformanceHistory Get-ClusterHCSVM Get-ClusterUpdatePlan Get-ClusterNodeSupportedVersion Get-ClusterStorageNode Get-ClusterAffinityRule Get-ClusterVMMonitoredItem':
      {
        params: 'Name: Cluster: InputObject: VMId: Domain: Group: Resource: Node: Disk: All User: Type: ResourceType:',
      },
    'Get-RDServer Get-RDSessionHost Get-RDSessionCollection Get-RDUserSession Get-RDLicenseConfiguration Get-RDCertificate Get-RDRemoteApp Get-RDDeploymentGatewayConfiguration Get-RDConnectionBrokerHighAvailability Get-RDSessionCollectionConfiguration Get-RDAvailableApp Get-RDWorkspace':
      {
        params:
          'ConnectionBroker: CollectionName: Role: Alias: DisplayName: User: Load Security Connection Client UserGroup UserProfileDisk',
      },
    'Get-WsusServer Get-WsusComputer Get-WsusUpdate Get-WsusProduct Get-WsusClassification': {
      params:
        'Name: PortNumber: UseSsl UpdateServer: All IncludedInstallationStates: ComputerTargetGroups: NameIncludes: Classification: Approval: Status: UpdateId: IncludeDownstreamComputerTargets RequestedTargetGroupNames: FromLastSyncTime: ToLastSyncTime:',
    },
    'Get-MailboxDatabase Get-MailboxDatabaseCopyStatus Get-Queue Get-Message Get-DatabaseAvailabilityGroup Get-MailboxServer Get-ClientAccessService Get-OwaVirtualDirectory Get-AcceptedDomain Get-TransportRule Get-MoveRequest Get-MoveRequestStatistics Get-Recipient Get-User Get-DistributionGroup Get-DistributionGroupMember Get-MailboxPermission Get-OrganizationConfig Test-ServiceHealth Test-ReplicationHealth Get-ExchangeServer Get-ServerHealth Get-HealthReport Get-ServerComponentState Get-MessageTrackingLog Get-Mailbox Get-MailboxStatistics Get-ExchangeCertificate Get-SendConnector Get-ReceiveConnector Get-TransportService':
      {
        params:
          'Identity: Server: Status ResultSize: Start: End: Sender: Recipients: EventId: Filter: Database: Local Archive',
      },
  },
  examples: {
    read_only: [
      'Get-Website | select Name,State',
      'Get-WebBinding -Name x',
      'Get-IISAppPool',
      'Invoke-Sqlcmd -ServerInstance . -Query "SELECT name FROM sys.databases"',
      '$q = "SELECT TOP 5 * FROM sys.dm_exec_requests r CROSS APPLY sys.dm_exec_sql_text(r.sql_handle)"; Invoke-Sqlcmd -Query $q',
      "Invoke-Sqlcmd 'EXEC sp_who2'",
      'Get-ClusterGroup | ft Name,OwnerNode,State',
      'Get-RDUserSession',
    ],
    unknown: [
      'Invoke-Sqlcmd -InputFile a.sql',
      'Invoke-Sqlcmd -Query $q',
      'Invoke-Sqlcmd "EXEC dbo.p"',
      'Invoke-Sqlcmd -Query "SELECT dbo.f(1)"',
      'Invoke-Sqlcmd',
    ],
    mutating: [
      'Invoke-Sqlcmd -Query "UPDATE t SET a=0"',
      'Invoke-Sqlcmd "SELECT * INTO x FROM t"',
      'Get-ClusterLog',
      'Get-Website | Stop-Website',
      'Restart-WebAppPool x',
    ],
  },
} as const satisfies CmdletFamily;
