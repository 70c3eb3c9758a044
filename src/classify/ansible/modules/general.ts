import type { Collection } from './types.js';

export const GENERAL: Collection = {
  name: 'community.general',
  read_only: `
    ali_instance_info btrfs_info cloud_init_data_facts dnsimple_info facter gconftool2_info github_webhook_info
    hpilo_info idrac_redfish_info ilo_redfish_info ipify_facts ipinfoio_facts jenkins_job_info
    keycloak_clientsecret_info keycloak_realm_info keyring_info ldap_search listen_ports_facts lldp
    manageiq_policies_info manageiq_tags_info memset_memstore_info memset_server_info nginx_status_info
    nomad_job_info ocapi_info ohai one_image_info onepassword_info oneview_datacenter_info oneview_enclosure_info
    oneview_ethernet_network_info oneview_fc_network_info oneview_fcoe_network_info
    oneview_logical_interconnect_group_info oneview_network_set_info oneview_san_manager_info online_server_info
    online_user_info pids pip_package_info pipx_info pritunl_org_info pritunl_user_info proxmox_domain_info
    proxmox_group_info proxmox_storage_info proxmox_tasks_info proxmox_user_info python_requirements_info rax_facts
    read_csv redfish_info redis_data_info redis_info rundeck_job_executions_info scaleway_container_info
    scaleway_container_namespace_info scaleway_container_registry_info scaleway_function_info
    scaleway_function_namespace_info scaleway_image_info scaleway_ip_info scaleway_organization_info
    scaleway_security_group_info scaleway_server_info scaleway_snapshot_info scaleway_volume_info smartos_image_info
    snmp_facts utm_aaa_group_info utm_ca_host_key_cert_info utm_network_interface_address_info
    utm_proxy_frontend_info utm_proxy_location_info vertica_info wdc_redfish_info xenserver_facts
    xenserver_guest_info xfconf_info zfs_facts zpool_facts`,
  unrouted: `
    btrfs_info dnsimple_info gconftool2_info ilo_redfish_info keycloak_clientsecret_info keycloak_realm_info
    keyring_info ldap_search manageiq_policies_info manageiq_tags_info nomad_job_info ocapi_info pipx_info
    pritunl_org_info pritunl_user_info proxmox_domain_info proxmox_group_info proxmox_storage_info
    proxmox_tasks_info proxmox_user_info redis_data_info redis_info rundeck_job_executions_info
    scaleway_container_info scaleway_container_namespace_info scaleway_container_registry_info
    scaleway_function_info scaleway_function_namespace_info wdc_redfish_info xfconf_info`,
  mutating: `
    aerospike_migrations airbrake_deployment aix_devices aix_filesystem aix_inittab aix_lvg aix_lvol alerta_customer
    ali_instance alternatives ansible_galaxy_install apache2_mod_proxy apache2_module apk apt_repo apt_rpm archive
    atomic_container atomic_host atomic_image awall beadm bearychat bigpanda bitbucket_access_key
    bitbucket_pipeline_key_pair bitbucket_pipeline_known_host bitbucket_pipeline_variable bower btrfs_subvolume
    bundler bzr campfire capabilities cargo catapult circonus_annotation cisco_webex clc_aa_policy clc_alert_policy
    clc_blueprint_package clc_firewall_policy clc_group clc_loadbalancer clc_modify_server clc_publicip clc_server
    clc_server_snapshot cloudflare_dns cobbler_sync cobbler_system composer consul consul_acl consul_kv
    consul_session copr cpanm cronvar crypttab datadog_downtime datadog_event datadog_monitor dconf deploy_helper
    dimensiondata_network dimensiondata_vlan discord django_manage dnf_versionlock dnsimple dnsmadeeasy dpkg_divert
    easy_install ejabberd_user elasticsearch_plugin emc_vnx_sg_member etcd3 filesize filesystem flatpak
    flatpak_remote flowdock gandi_livedns gconftool2 gem git_config github_deploy_key github_issue github_key
    github_release github_repo github_webhook gitlab_branch gitlab_deploy_key gitlab_group gitlab_group_members
    gitlab_group_variable gitlab_hook gitlab_project gitlab_project_badge gitlab_project_members
    gitlab_project_variable gitlab_protected_branch gitlab_runner gitlab_user grove gunicorn hana_query haproxy
    heroku_collaborator hg hipchat homebrew homebrew_cask homebrew_tap homectl honeybadger_deployment hpilo_boot
    hponcfg htpasswd hwc_ecs_instance hwc_evs_disk hwc_network_vpc hwc_smn_topic hwc_vpc_eip hwc_vpc_peering_connect
    hwc_vpc_port hwc_vpc_private_ip hwc_vpc_route hwc_vpc_security_group hwc_vpc_security_group_rule hwc_vpc_subnet
    ibm_sa_domain ibm_sa_host ibm_sa_host_ports ibm_sa_pool ibm_sa_vol ibm_sa_vol_map icinga2_feature icinga2_host
    idrac_redfish_command idrac_redfish_config ilo_redfish_command ilo_redfish_config imc_rest imgadm infinity
    influxdb_database influxdb_query influxdb_retention_policy influxdb_user influxdb_write ini_file installp
    interfaces_file ip_netns ipa_config ipa_dnsrecord ipa_dnszone ipa_group ipa_hbacrule ipa_host ipa_hostgroup
    ipa_otpconfig ipa_otptoken ipa_pwpolicy ipa_role ipa_service ipa_subca ipa_sudocmd ipa_sudocmdgroup ipa_sudorule
    ipa_user ipa_vault ipmi_boot ipmi_power iptables_state ipwcli_dns irc iso_create iso_customize iso_extract
    jabber java_cert java_keystore jboss jenkins_build jenkins_job jenkins_plugin jenkins_script jira kdeconfig
    kernel_blacklist keycloak_authentication keycloak_authz_authorization_scope keycloak_client
    keycloak_client_rolemapping keycloak_clientscope keycloak_clientscope_type keycloak_clientsecret_regenerate
    keycloak_clienttemplate keycloak_group keycloak_identity_provider keycloak_realm keycloak_role
    keycloak_user_federation keycloak_user_rolemapping keyring kibana_plugin launchd layman lbu ldap_attrs
    ldap_entry ldap_passwd librato_annotation linode linode_v4 locale_gen logentries logentries_msg logstash_plugin
    lvg lvol lxc_container lxca_cmms lxca_nodes lxd_container lxd_profile lxd_project macports mail make
    manageiq_alert_profiles manageiq_alerts manageiq_group manageiq_policies manageiq_provider manageiq_tags
    manageiq_tenant manageiq_user mas matrix mattermost maven_artifact memset_dns_reload memset_zone
    memset_zone_domain memset_zone_record mksysb modprobe monit mqtt mssql_db mssql_script nagios netcup_dns
    newrelic_deployment nexmo nictagadm nmcli nomad_job nosh npm nsupdate ocapi_command oci_vcn odbc
    office_365_connector_card omapi_host one_host one_image one_service one_template one_vm
    oneandone_firewall_policy oneandone_load_balancer oneandone_monitoring_policy oneandone_private_network
    oneandone_public_ip oneandone_server oneview_ethernet_network oneview_fc_network oneview_fcoe_network
    oneview_logical_interconnect_group oneview_network_set oneview_san_manager open_iscsi openbsd_pkg
    opendj_backendprop openwrt_init opkg osx_defaults ovh_ip_failover ovh_ip_loadbalancing_backend
    ovh_monthly_billing pacemaker_cluster packet_device packet_ip_subnet packet_project packet_sshkey packet_volume
    packet_volume_attachment pacman pacman_key pagerduty pagerduty_alert pagerduty_change pagerduty_user pam_limits
    pamd parted pear pingdom pipx pkg5 pkg5_publisher pkgin pkgng pkgutil pmem portage portinstall pritunl_org
    pritunl_user profitbricks profitbricks_datacenter profitbricks_nic profitbricks_volume
    profitbricks_volume_attachments proxmox proxmox_disk proxmox_kvm proxmox_nic proxmox_snap proxmox_template
    pubnub_blocks pulp_repo puppet pushbullet pushover rax rax_cbs rax_cbs_attachments rax_cdb rax_cdb_database
    rax_cdb_user rax_clb rax_clb_nodes rax_clb_ssl rax_dns rax_dns_record rax_files rax_files_objects rax_identity
    rax_keypair rax_meta rax_mon_alarm rax_mon_check rax_mon_entity rax_mon_notification rax_mon_notification_plan
    rax_network rax_queue rax_scaling_group rax_scaling_policy redfish_command redfish_config redhat_subscription
    redis redis_data redis_data_incr rhevm rhn_channel rhn_register rhsm_release rhsm_repository riak rocketchat
    rollbar_deployment rpm_ostree_pkg rundeck_acl_policy rundeck_job_run rundeck_project runit sap_task_list_execute
    sapcar_extract say scaleway_compute scaleway_compute_private_network scaleway_container
    scaleway_container_namespace scaleway_container_registry scaleway_database_backup scaleway_function
    scaleway_function_namespace scaleway_ip scaleway_lb scaleway_private_network scaleway_security_group
    scaleway_security_group_rule scaleway_sshkey scaleway_user_data scaleway_volume sefcontext selinux_permissive
    selogin sendgrid sensu_check sensu_client sensu_handler sensu_silence sensu_subscription seport serverless
    shutdown sl_vm slack slackpkg snap snap_alias solaris_zone sorcery spectrum_device spectrum_model_attrs
    spotinst_aws_elastigroup ss_3par_cpg ssh_config stackdriver stacki_host statsd statusio_maintenance sudoers
    supervisorctl svc svr4pkg swdepot swupd syslogger syspatch sysrc sysupgrade taiga_issue telegram terraform
    timezone twilio typetalk udm_dns_record udm_dns_zone udm_group udm_share udm_user ufw uptimerobot urpmi
    utm_aaa_group utm_ca_host_key_cert utm_dns_host utm_network_interface_address utm_proxy_auth_profile
    utm_proxy_exception utm_proxy_frontend utm_proxy_location vdo vertica_configuration vertica_role vertica_schema
    vertica_user vexata_eg vexata_volume vmadm wakeonlan wdc_redfish_command webfaction_app webfaction_db
    webfaction_domain webfaction_mailbox webfaction_site xattr xbps xcc_redfish_command xenserver_guest
    xenserver_guest_powerstate xfconf xfs_quota xml yarn yum_versionlock zfs zfs_delegate_admin znode zypper
    zypper_repository`,
};
