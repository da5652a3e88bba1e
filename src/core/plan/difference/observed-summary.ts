import { sha256HexOf } from '../../lib/hash.ts';
import { once } from '../../lib/once.ts';
import type { Facts } from '../../model/facts.ts';
import { hostsOf, type Observed, ungroupedId } from '../../model/observed.ts';
import type { ObservedSummary } from '../types/plan.ts';
import { sortedByHostId } from './compare-hosts.ts';

/** What a plan records about the fleet that it was made from. */
export function summarizeObserved(observed: Observed, facts: Facts): ObservedSummary {
  const fingerprint = once(() => sha256HexOf(fingerprintLines(observed)));
  return {
    takenAt: observed.takenAt,
    hosts: observed.count,
    groups: observed.groups.filter(({ id }) => id !== ungroupedId).length,
    lists: [...observed.lists, ...facts.lists],
    // Computed on first use, because it takes longer than reading the list, and only callers that keep the
    // plan need it.
    get fingerprint() {
      return fingerprint();
    },
  };
}

function* fingerprintLines(observed: Observed): Generator<string> {
  let before = '';
  for (const { id, groupId, name } of sortedByHostId(hostsOf(observed), (host) => host.id)) {
    yield `${before}${id}\t${groupId}\t${JSON.stringify(name)}`;
    before = '\n';
  }
}
