/**
 * Does this name or address always lead to this machine: `localhost`, `::1`, or one of 127.0.0.0/8? `host` is a host name of
 * a URL, which has normalized every spelling of an IPv4 address, or an address without brackets.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host);
}
