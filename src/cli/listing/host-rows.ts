import { type KnownFleet } from '../../accounts/engine/read-facts.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import type { FactedHost } from '../../output/review/host-columns.ts';

/** Hosts as rows of a list. */
export function hostRows(
  hosts: readonly ObservedHost[],
  { observed, facts }: Pick<KnownFleet, 'observed' | 'facts'>,
): readonly FactedHost[] {
  return hosts.map((host) => ({
    host,
    group: observed.groupById(host.groupId),
    fields: facts.customFieldsOf(host.id) ?? {},
  }));
}
