import { firstFew } from '../../lib/words.ts';
import type { ObservedHost } from '../../model/observed.ts';

/** `"A" (1), "B" (2), "C" (3) and 9 more`: hosts for a sentence, with raw names. */
export function hostList(hosts: readonly ObservedHost[], shown = 3): string {
  return firstFew(
    hosts,
    shown,
    ({ id, name }) => `${name === null ? 'a host without a name' : `"${name}"`} (${id})`,
  );
}

export function uniqueHosts(hosts: readonly ObservedHost[]): readonly ObservedHost[] {
  return [...new Map(hosts.map((host) => [host.id, host])).values()];
}
