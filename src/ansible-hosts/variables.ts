/** A variable's value, where it can be told: `unclear` says why not. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unclear'; readonly why: string };

export type Variables = ReadonlyMap<string, Value>;

export const ADDRESSES = ['ansible_host', 'ansible_ssh_host'] as const;
/** Those that one connection alone reads. */
export const OWN_ADDRESSES = ['ansible_paramiko_host', 'ansible_winrm_host', 'ansible_psrp_host'] as const;
export const SSH_ARGUMENTS = ['ansible_ssh_args', 'ansible_ssh_common_args', 'ansible_ssh_extra_args'] as const;
export const PRIORITY = 'ansible_group_priority';

/** Those that have a say in where a host's connection goes. Others are not kept. */
export const DECIDING: readonly string[] = [
  ...ADDRESSES,
  ...OWN_ADDRESSES,
  ...SSH_ARGUMENTS,
  PRIORITY,
  'ansible_connection',
  'ansible_port',
  'ansible_ssh_port',
  'ansible_ssh_executable',
  'ansible_control_path',
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
