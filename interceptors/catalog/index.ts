import { ANSIBLE_CATALOGS } from './ansible-servers.js';
import { HYPERVISOR_CATALOGS, SMB_CATALOGS } from './file-servers.js';
import { SHELL_CATALOGS } from './shell-servers.js';
import { SSH_CATALOGS } from './ssh-servers.js';
import { WINDOWS_CATALOGS } from './windows-servers.js';

/** Published servers whose tools are known one by one, apart from those that need a session's memory. */
export const CATALOGS = [
  ...SSH_CATALOGS,
  ...ANSIBLE_CATALOGS,
  ...WINDOWS_CATALOGS,
  ...SHELL_CATALOGS,
  ...SMB_CATALOGS,
  ...HYPERVISOR_CATALOGS,
];
