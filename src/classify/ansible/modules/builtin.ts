import type { Collection } from './types.js';

export const BUILTIN: Collection = {
  name: 'ansible.builtin',
  read_only: `
    assert async_status debug fail find gather_facts getent group_by package_facts pause ping service_facts set_fact
    set_stats setup slurp stat validate_argument_spec wait_for wait_for_connection`,
  predicts: `
    apt blockinfile copy cron debconf dpkg_selections file group hostname iptables known_hosts lineinfile replace
    systemd systemd_service sysvinit user yum_repository`,
  mutating: `
    apt_key apt_repository assemble dnf fetch get_url git package pip reboot rpm_key service subversion tempfile
    template unarchive yum`,
  depends: `
    add_host command expect import_playbook import_role import_tasks include_role include_tasks include_vars meta
    raw script shell uri`,
};
