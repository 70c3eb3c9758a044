/** A variable's value, where it can be told: `unclear` says why not. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unclear'; readonly why: string };

export type Variables = ReadonlyMap<string, Value>;

export const ADDRESSES = ['ansible_host', 'ansible_ssh_host'] as const;
/** Those that one connection alone reads. */
export const OWN_ADDRESSES = ['ansible_paramiko_host', 'ansible_winrm_host', 'ansible_psrp_host'] as const;
export const SSH_ARGUMENTS = ['ansible_ssh_args', 'ansible_ssh_common_args', 'ansible_ssh_extra_args'] as const;
/** Options of the programs that copy files to a host, beside ssh(1). */
export const COPY_ARGUMENTS = ['ansible_scp_extra_args', 'ansible_sftp_extra_args'] as const;
/** Programs that take the place of those of OpenSSH. */
export const EXECUTABLES = ['ansible_ssh_executable', 'ansible_scp_executable', 'ansible_sftp_executable'] as const;
/** A port for every connection, and for one alone. */
export const PORTS = [
  'ansible_port',
  'ansible_ssh_port',
  'ansible_paramiko_port',
  'ansible_winrm_port',
  'ansible_psrp_port',
] as const;
export const PRIORITY = 'ansible_group_priority';

/** Those that have a say in where a host's connection goes. Others are not kept. */
export const DECIDING: readonly string[] = [
  ...ADDRESSES,
  ...OWN_ADDRESSES,
  ...SSH_ARGUMENTS,
  PRIORITY,
  ...COPY_ARGUMENTS,
  ...EXECUTABLES,
  ...PORTS,
  'ansible_connection',
  'ansible_control_path',
  'ansible_paramiko_proxy_command',
  'ansible_psrp_proxy',
];

export function isDeciding(name: string): boolean {
  return DECIDING.includes(name);
}

/** A text that ansible takes as it stands; one with a template it renders. */
export function textValue(text: string): Value {
  return /\{[{%#]/.test(text) ? unclear('it is a template, which nothing here renders') : { kind: 'text', text };
}

export function unclear(why: string): Value {
  return { kind: 'unclear', why };
}
