/** True if a host name or address denotes this machine. An IPv6 address may be in brackets, as in a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/.test(host);
}
