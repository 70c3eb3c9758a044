import type { CmdletFamily } from './types.js';

/** Accounts, Active Directory, group policy, name and address servers. */
export const DIRECTORY = {
  effect: 'read_only',
  commands: {
    'Get-LocalUser Get-LocalGroup Get-LocalGroupMember': { params: 'Name: SID: Group: Member:' },
    'Get-ADUser Get-ADComputer Get-ADGroup Get-ADGroupMember Get-ADObject Get-ADOrganizationalUnit Get-ADDomain Get-ADDomainController Get-ADForest Get-ADRootDSE Get-ADPrincipalGroupMembership Get-ADAccountAuthorizationGroup Get-ADServiceAccount Get-ADFineGrainedPasswordPolicy Get-ADDefaultDomainPasswordPolicy Get-ADUserResultantPasswordPolicy Get-ADTrust Get-ADReplicationSite Get-ADReplicationSiteLink Get-ADReplicationSubnet Get-ADReplicationConnection Get-ADReplicationFailure Get-ADReplicationPartnerMetadata Get-ADReplicationQueueOperation Get-ADReplicationUpToDatenessVectorTable Get-ADReplicationAttributeMetadata Get-ADOptionalFeature Get-ADComputerServiceAccount Get-ADFineGrainedPasswordPolicySubject Get-ADDomainControllerPasswordReplicationPolicy Get-ADDomainControllerPasswordReplicationPolicyUsage Get-ADAccountResultantPasswordReplicationPolicy Get-ADAuthenticationPolicy Get-ADAuthenticationPolicySilo Get-ADCentralAccessPolicy Get-ADClaimType Get-ADResourceProperty Get-ADReplicationSiteLinkBridge Get-LapsADPassword Get-ADDCCloningExcludedApplicationList Search-ADAccount Test-ADServiceAccount':
      {
        params:
          'Identity: Filter: LDAPFilter: Properties|Property: SearchBase: SearchScope: Server: Credential: AuthType: Partition: ResultPageSize: ResultSetSize: IncludeDeletedObjects Discover NextClosestSite Service: SiteName: DomainName: AvoidSelf ForceDiscover MinimumDirectoryServiceVersion: Writable Recursive ResourceContextServer: ResourceContextPartition: AccountDisabled AccountExpired AccountExpiring AccountInactive LockedOut PasswordExpired PasswordNeverExpires ComputersOnly UsersOnly DateTime: TimeSpan: Current: Target: Scope: EnumerationServer: PartnerType: EnumeratingServer: Object: ShowAllLinkedValues InputObject: AsPlainText IncludeHistory Allowed Denied RevealedAccounts AuthenticatedAccounts DomainController:',
      },
    'Get-GPO Get-GPInheritance Get-GPPermission Get-GPPermissions Get-GPRegistryValue Get-GPPrefRegistryValue Get-GPStarterGPO':
      {
        params:
          'Name|DisplayName: Guid|Id: All Domain: Server: Target: TargetName: TargetType: Key: ValueName: Context: Order:',
      },
    'Get-GPOReport': {
      params: 'Name|DisplayName: Guid|Id: All Domain: Server:',
      rules: { ReportType: { match: '^(?:xml|html)$', effect: 'mutating' }, Path: { effect: 'mutating' } },
      positions: 'Name ReportType Path',
    },
    'Get-DnsServer Get-DnsServerZone Get-DnsServerResourceRecord Get-DnsServerForwarder Get-DnsServerCache Get-DnsServerSetting Get-DnsServerStatistics Get-DnsServerScavenging Get-DnsServerDiagnostics Get-DnsServerRootHint Get-DnsServerConditionalForwarderZone Get-DnsServerZoneAging Get-DnsServerRecursion Get-DnsServerDirectoryPartition Get-DnsServerDsSetting Get-DnsServerClientSubnet Get-DnsServerQueryResolutionPolicy Get-DnsServerGlobalQueryBlockList Get-DnsServerEDns Get-DnsServerZoneDelegation Get-DnsServerZoneScope Get-DnsServerTrustAnchor Get-DnsServerTrustPoint Get-DnsServerResponseRateLimiting Get-DnsServerDnsSecZoneSetting Get-DnsServerSigningKey Show-DnsServerCache Test-DnsServer':
      {
        params:
          'Name|ZoneName|ForwardLookupZone: ComputerName|Cn: RRType: Type: Node ZoneScope: VirtualizationInstance: CimSession|Session: ThrottleLimit: IPAddress: Context: Custom Policy: All',
      },
    'Get-DhcpServerInDC Get-DhcpServerSetting Get-DhcpServerv4Scope Get-DhcpServerv4Lease Get-DhcpServerv4Reservation Get-DhcpServerv4ScopeStatistics Get-DhcpServerv4Statistics Get-DhcpServerv4OptionValue Get-DhcpServerv4OptionDefinition Get-DhcpServerv4ExclusionRange Get-DhcpServerv4Failover Get-DhcpServerv4FreeIPAddress Get-DhcpServerv4Filter Get-DhcpServerv4Binding Get-DhcpServerv4Superscope Get-DhcpServerv4Policy Get-DhcpServerAuditLog Get-DhcpServerDatabase Get-DhcpServerDnsCredential Get-DhcpServerVersion Get-DhcpServerv4Class Get-DhcpServerv4DnsSetting Get-DhcpServerv4MulticastScope Get-DhcpServerv6Reservation Get-DhcpServerv6OptionValue Get-DhcpServerv6ScopeStatistics Get-DhcpServerv6Scope Get-DhcpServerv6Lease':
      {
        params:
          'ScopeId: ComputerName|Cn: IPAddress: ClientId: AllLeases BadLeases OptionId: ReservedIP: UserClass: VendorClass: PolicyName: All Brief Name: NumAddress: StartAddress: EndAddress: CimSession|Session: ThrottleLimit: SuperscopeName: Failover List: Prefix:',
      },
    'Get-CertificationAuthority Get-Certificate Get-CertificateStoreLocation': { effect: 'unknown' },
    'Get-WinSystemLocale Get-WinUserLanguageList Get-WinHomeLocation Get-WinCultureFromLanguageListOptOut Get-KdsRootKey Test-KdsRootKey Get-CATemplate Get-CACrlDistributionPoint Get-CAAuthorityInformationAccess':
      {
        params: 'KeyId:',
      },
    'Get-AdfsProperties Get-AdfsRelyingPartyTrust Get-AdfsCertificate Get-AdfsEndpoint Get-AdfsSslCertificate': {
      params: 'Name: Identifier: CertificateType: AddressPath:',
    },
    'Get-DfsnRoot Get-DfsnFolder Get-DfsnFolderTarget Get-DfsnRootTarget Get-DfsrBacklog Get-DfsrState Get-DfsReplicationGroup Get-DfsReplicatedFolder Get-DfsrMember Get-DfsrConnection Get-DfsrMembership Get-DfsrServiceConfiguration':
      {
        params:
          'Path: ComputerName: Domain: CimSession: GroupName: FolderName: SourceComputerName: DestinationComputerName: TargetPath: DomainName:',
      },
    // Without -Repair it only looks.
    'Test-ComputerSecureChannel': {
      params: 'Server: Credential:',
      rules: { Repair: { effect: 'mutating', alone: true } },
    },
  },
  examples: {
    read_only: [
      'Get-LocalUser | ft Name,Enabled',
      'Get-LocalGroupMember Administrators',
      'Get-ADUser -Filter "Enabled -eq \'True\'" -Properties LastLogonDate | select -First 20 SamAccountName',
      'Get-ADUser -Filter { Enabled -eq $true }',
      'Get-ADDomainController -Filter *',
      'Search-ADAccount -LockedOut',
      'Get-GPO -All',
      'Get-GPOReport -Name x -ReportType Xml',
      'Get-DnsServerResourceRecord -ZoneName corp.local',
      'Get-DhcpServerv4Lease -ScopeId 10.0.0.0',
      'Test-ComputerSecureChannel',
    ],
    unknown: ['Get-ADFoo', 'Get-Certificate -Template x'],
    mutating: [
      'Get-GPOReport -Name x -ReportType Html -Path C:\\x.html',
      'Test-ComputerSecureChannel -Repair',
      'Set-ADUser jdoe -Enabled $false',
      'Get-ADUser bob | Disable-ADAccount',
      'New-LocalUser x',
      'Get-GPResultantSetOfPolicy -ReportType Html -Path C:\\x',
    ],
  },
} as const satisfies CmdletFamily;
