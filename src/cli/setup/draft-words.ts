import { ungroupedId } from '../../core/model/group.ts';
import { countHosts, type FleetDraft } from '../../input/writing/fleet-draft.ts';
import { count } from '../../output/review/count.ts';

/** `12 hosts in 3 groups and in no group`. */
export function draftWords(draft: FleetDraft): string {
  const hosts = count(countHosts(draft), 'host');
  const named = draft.groups.filter(({ groupId }) => groupId !== ungroupedId).length;
  const apart = named < draft.groups.length;
  if (named === 0) return apart ? `${hosts} in no group` : hosts;
  return `${hosts} in ${count(named, 'group')}${apart ? ' and in no group' : ''}`;
}
