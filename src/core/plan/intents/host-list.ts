import type { ObservedHost } from '../../model/observed.ts';

/** `"A" (1), "B" (2), "C" (3) and 9 more`: hosts for a sentence, with raw names. */
export function hostList(hosts: readonly ObservedHost[], shown = 3): string {
  const named = hosts
    .slice(0, shown)
    .map((host) => `${host.name === null ? 'a host without a name' : `"${host.name}"`} (${host.id})`);
  const rest = hosts.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}
