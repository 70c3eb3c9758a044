import type { Collection } from './types.js';

export const WINDOWS: Collection = {
  name: 'ansible.windows',
  read_only: `
    async_status setup slurp win_find win_ping win_reg_stat win_service_info win_stat win_wait_for win_whoami`,
  unrouted: 'async_status setup slurp win_service_info',
  mutating: `
    win_acl win_acl_inheritance win_certificate_store win_copy win_dns_client win_domain win_domain_controller
    win_domain_membership win_dsc win_environment win_feature win_file win_get_url win_group win_group_membership
    win_hostname win_optional_feature win_owner win_package win_path win_reboot win_regedit win_service win_share
    win_tempfile win_template win_updates win_user win_user_right`,
  depends: 'win_command win_powershell win_shell win_uri',
};

export const COMMUNITY_WINDOWS: Collection = {
  name: 'community.windows',
  read_only: `
    win_certificate_info win_disk_facts win_domain_object_info win_feature_info win_file_version
    win_listen_ports_facts win_product_facts win_psmodule_info win_psrepository_info win_psscript_info
    win_scheduled_task_stat`,
  unrouted: `
    win_certificate_info win_domain_object_info win_feature_info win_listen_ports_facts win_psmodule_info
    win_psrepository_info win_psscript_info`,
  mutating: `
    win_audit_policy_system win_audit_rule win_auto_logon win_computer_description win_credential
    win_data_deduplication win_defrag win_dhcp_lease win_disk_image win_dns_record win_dns_zone win_domain_computer
    win_domain_group win_domain_group_membership win_domain_ou win_domain_user win_dotnet_ngen win_eventlog
    win_eventlog_entry win_file_compression win_firewall win_firewall_rule win_format win_hosts win_hotfix
    win_http_proxy win_iis_virtualdirectory win_iis_webapplication win_iis_webapppool win_iis_webbinding
    win_iis_website win_inet_proxy win_initialize_disk win_lineinfile win_mapped_drive win_msg
    win_net_adapter_feature win_netbios win_nssm win_pagefile win_partition win_pester win_power_plan win_psmodule
    win_psrepository win_psrepository_copy win_psscript win_pssession_configuration win_rabbitmq_plugin win_rds_cap
    win_rds_rap win_rds_settings win_region win_regmerge win_robocopy win_route win_say win_scheduled_task win_scoop
    win_scoop_bucket win_security_policy win_shortcut win_snmp win_timezone win_toast win_unzip win_user_profile
    win_wait_for_process win_wakeonlan win_webpicmd win_xml win_zip`,
  depends: 'psexec win_psexec',
};

export const ACTIVE_DIRECTORY: Collection = {
  name: 'microsoft.ad',
  read_only: 'debug_ldap_client object_info',
  unrouted: 'debug_ldap_client object_info',
  mutating: 'computer domain domain_controller group membership object offline_join ou user',
};

export const CHOCOLATEY: Collection = {
  name: 'chocolatey.chocolatey',
  read_only: 'win_chocolatey_facts',
  mutating: 'win_chocolatey win_chocolatey_config win_chocolatey_feature win_chocolatey_source',
};
