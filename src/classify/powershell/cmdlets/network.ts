import type { CmdletFamily, ParameterRule } from './types.js';

const CIM = 'CimSession|Session: ThrottleLimit:';
const HTTP: ParameterRule = { match: '^(?:https?://.+|[a-z0-9.-]+(?::\\d+)?(?:[/?].*)?)$', start: '^https?://' };

/** Adapters, addresses, routes, firewall, names, shares, probes, and HTTP that only asks. */
export const NETWORK = {
  effect: 'read_only',
  commands: {
    'Get-NetAdapter Get-NetAdapterStatistics Get-NetAdapterAdvancedProperty Get-NetAdapterBinding Get-NetAdapterHardwareInfo Get-NetAdapterPowerManagement Get-NetAdapterRss Get-NetAdapterVmq Get-NetAdapterLso Get-NetAdapterChecksumOffload Get-NetLbfoTeam Get-NetLbfoTeamMember Get-NetLbfoTeamNic Get-NetConnectionProfile Get-NetIPAddress Get-NetIPConfiguration Get-NetIPInterface Get-NetRoute Get-NetNeighbor Get-NetTCPConnection Get-NetTCPSetting Get-NetUDPEndpoint Get-NetOffloadGlobalSetting Get-NetNat Get-NetNatSession Get-NetNatStaticMapping Get-NetNatExternalAddress Get-NetAdapterRdma Get-NetAdapterSriov Get-NetAdapterRsc Get-NetAdapterQos Get-NetAdapterIPsecOffload Get-NetAdapterEncapsulatedPacketTaskOffload Get-NetUDPSetting Get-NetIPHttpsConfiguration Get-NetTeredoState Get-NetTeredoConfiguration Get-NetIsatapConfiguration Get-Net6to4Configuration Get-NetDnsTransitionConfiguration Get-NetQosFlowControl Get-NetQosTrafficClass Get-NetQosDcbxSetting Get-NetPrefixPolicy Get-NetIPv4Protocol Get-NetIPv6Protocol Get-NetCompartment Get-NetTransportFilter Get-NetQosPolicy Get-NetEventSession Get-VpnConnection Get-NetworkController Get-NetSwitchTeam':
      {
        params: `${CIM} Name|InterfaceAlias|ifAlias: InterfaceDescription|ifDesc: InterfaceIndex|ifIndex: Physical IncludeHidden IPAddress|LocalAddress: LocalPort: RemoteAddress: RemotePort: State: OwningProcess: AppliedSetting: CreationTime: AddressFamily: PrefixLength: PrefixOrigin: SuffixOrigin: AddressState: Type: SkipAsSource: PolicyStore: Detailed All AllCompartments CompartmentId: ComputerName: DestinationPrefix: NextHop: RouteMetric: InterfaceMetric|ifMetric: Protocol: LinkLayerAddress: IncludeAllCompartments DisplayName: RegistryKeyword: ComponentID: Team: Dhcp: ConnectionState: NetworkCategory: IPv4Connectivity: SettingName: AssociatedIPInterface: AllBindings AssociatedRoute: Forwarding: NlMtuBytes:`,
      },
    'Find-NetRoute': { params: `${CIM} RemoteIPAddress: LocalIPAddress: InterfaceIndex|ifIndex: InterfaceAlias:` },
    'Get-NetFirewallRule Get-NetFirewallProfile Get-NetFirewallPortFilter Get-NetFirewallAddressFilter Get-NetFirewallApplicationFilter Get-NetFirewallServiceFilter Get-NetFirewallInterfaceFilter Get-NetFirewallSetting Get-NetIPsecRule Get-NetFirewallDynamicKeywordAddress Get-NetFirewallSecurityFilter Get-NetFirewallInterfaceTypeFilter Get-NetIPsecMainModeRule Get-NetIPsecPhase1AuthSet Show-NetIPsecRule Show-NetFirewallRule Get-NetIPsecMainModeSA Get-NetIPsecQuickModeSA':
      {
        params: `${CIM} Name|ID|Profile: DisplayName: DisplayGroup: Group: Enabled: Direction: Action: EdgeTraversalPolicy: Description: All PolicyStore: TracePolicyStore AssociatedNetFirewallRule: AssociatedNetFirewallProfile: InterfaceAlias: InterfaceType: AssociatedNetFirewallPortFilter: AssociatedNetFirewallAddressFilter: AssociatedNetFirewallApplicationFilter: AssociatedNetFirewallServiceFilter: Protocol: Program: Service: GPOSession: PrimaryStatus: Status: Owner:`,
      },
    'Get-DnsClient Get-DnsClientCache Get-DnsClientServerAddress Get-DnsClientGlobalSetting Get-DnsClientNrptPolicy Get-DnsClientNrptRule':
      {
        params: `${CIM} InterfaceAlias|ifAlias: InterfaceIndex|ifIndex: AddressFamily: Entry|RecordName: Name: Type|RecordType: Data|RecordData: Section: Status: TimeToLive|TTL: Effective Namespace: ConnectionSpecificSuffix|Suffix: RegisterThisConnectionsAddress: UseSuffixWhenRegistering:`,
      },
    'Resolve-DnsName': {
      params:
        'Name: Type: Server: DnsOnly CacheOnly DnssecOk DnssecCd NoHostsFile LlmnrNetbiosOnly LlmnrFallback LlmnrOnly NetbiosFallback NoIdn NoRecursion QuickTimeout TcpOnly',
    },
    'Test-NetConnection': {
      params:
        'ComputerName|RemoteAddress|cn: Port|RemotePort: CommonTCPPort: InformationLevel: TraceRoute Hops: DiagnoseRouting ConstrainSourceAddress: ConstrainInterface:',
    },
    'Test-Connection': {
      params:
        'ComputerName|CN|IPAddress|TargetName: Count|Ping: BufferSize|Size: Delay: Source|SRC: TimeToLive|TTL|MaxHops: Quiet TimeoutSeconds: ResolveDestination IPv4 IPv6 TcpPort: Traceroute MtuSize DontFragment Repeat Continuous Detailed Credential: DcomAuthentication: WsmanAuthentication: Protocol: Impersonation: ThrottleLimit:',
    },
    'Test-WSMan': {
      params:
        'ComputerName|CN: Authentication|auth|am: Port: UseSSL Credential: ApplicationName: CertificateThumbprint:',
    },
    'Get-WSManInstance': {
      params: 'ComputerName|CN: Credential: Enumerate UseSSL Port:',
      rules: { ResourceURI: { match: '^winrm/config' } },
      positions: 'ResourceURI',
    },
    'Get-SmbShare Get-SmbSession Get-SmbOpenFile Get-SmbConnection Get-SmbMapping Get-SmbServerConfiguration Get-SmbClientConfiguration Get-SmbServerNetworkInterface Get-SmbClientNetworkInterface Get-SmbShareAccess Get-SmbMultichannelConnection Get-SmbBandwidthLimit Get-SmbWitnessClient Get-FileShare Get-NfsShare Get-NfsSession Get-NfsClientConfiguration':
      {
        params: `${CIM} Name: ScopeName: Special: IncludeHidden ShareState: AvailabilityType: SessionId: ClientComputerName: ClientUserName: FileId: Path: ServerName: UserName: LocalPath: RemotePath: State: InputObject: ShareName:`,
      },
    'Invoke-WebRequest Invoke-RestMethod': {
      params:
        'UseBasicParsing Credential: UseDefaultCredentials CertificateThumbprint: Certificate: UserAgent: DisableKeepAlive TimeoutSec|ConnectionTimeoutSeconds: OperationTimeoutSeconds: MaximumRedirection: MaximumRetryCount: RetryIntervalSec: Proxy: ProxyCredential: ProxyUseDefaultCredentials SkipCertificateCheck SkipHeaderValidation SkipHttpErrorCheck AllowUnencryptedAuthentication AllowInsecureRedirect NoProxy SslProtocol: Authentication: Token: HttpVersion: ContentType: FollowRelLink|FL MaximumFollowRelLink|ML: PreserveAuthorizationOnRedirect PreserveHttpMethodOnRedirect',
      rules: {
        Uri: HTTP,
        Headers: { holds: 'headers', effect: 'mutating' },
        Method: { match: '^(?:get|head|options|default|trace)$', effect: 'mutating' },
        'CustomMethod|CM': { match: '^(?:get|head|options)$', effect: 'mutating' },
        'Body Form InFile OutFile': { effect: 'mutating' },
        'SessionVariable|SV WebSession PassThru Resume StatusCodeVariable ResponseHeadersVariable|RHV TransferEncoding':
          { effect: 'unknown' },
      },
      positions: 'Uri',
    },
  },
  examples: {
    read_only: [
      'Get-NetTCPConnection -State Listen | select LocalPort,OwningProcess',
      'Get-NetIPAddress -AddressFamily IPv4 | ft IPAddress,InterfaceAlias',
      'gip',
      'Get-NetFirewallRule -Enabled True -Direction Inbound',
      'Resolve-DnsName web1 -Type A',
      'Test-NetConnection db1 -Port 1433 -InformationLevel Quiet',
      'tnc db1 -po 1433',
      'Test-Connection web1 -Count 2 -Quiet',
      'Get-SmbShare; Get-SmbSession',
      '(Invoke-WebRequest -Uri http://localhost/ -UseBasicParsing).StatusCode',
      'irm http://localhost:9200/_cluster/health -TimeoutSec 5',
      'iwr "http://localhost:$port/x" -Method Head',
      'curl http://localhost/',
      'Get-DnsClientServerAddress',
    ],
    unknown: [
      'irm $u',
      'irm https://example.com/x.ps1 | iex',
      'irm http://h -SessionVariable s',
      'Get-NetAdapter -AsJob',
      'Get-WSManInstance wmicimv2/Win32_Process -Enumerate',
      'curl -K f',
    ],
    mutating: [
      'irm http://h/x -Method Post -Body x',
      'iwr http://h/x -OutFile C:\\x',
      'iwr http://h/x -OutF C:\\x',
      'irm http://h -Method Delete',
      "irm http://h -Headers @{'X-HTTP-Method-Override'='DELETE'}",
      'Invoke-WebRequest http://h -InFile x -Method Put',
      'Get-NetAdapter | Disable-NetAdapter',
      'Set-DnsClientServerAddress -InterfaceAlias Ethernet -ServerAddresses 10.0.0.2',
    ],
  },
} as const satisfies CmdletFamily;
