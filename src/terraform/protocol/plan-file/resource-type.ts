/** The type in an address such as `module.a["x"].rampart_host.all["1.2"]`; null for a data source. */
export function resourceTypeIn(address: string): string | null {
  const parts = address.replaceAll(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '').split('.');
  return parts.at(-3) === 'data' ? null : (parts.at(-2) ?? null);
}
