/** Only addresses of this machine alone: what is said there cannot be heard on a network. An IPv6 address stands without brackets. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
