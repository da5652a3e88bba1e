import { count } from '../../core/lib/words.ts';
import { ungroupedId } from '../../core/model/observed.ts';
import { countHosts, type FleetDraft } from '../../input/writing/fleet-draft.ts';
import type { Context } from '../shell/context.ts';

const shown = 5;

/** Lists the names that an import left out. */
export function printLeftOutNames(context: Context, { groups }: FleetDraft): void {
  const lines = groups.flatMap(({ hosts }) =>
    hosts.flatMap(({ id, unclaimed }) => (unclaimed === undefined ? [] : [`  ${id}: ${unclaimed}`])),
  );
  if (lines.length === 0) return;
  context.log(`${count(lines.length, 'name')} left out:`);
  for (const line of lines.slice(0, shown)) context.log(line);
  if (lines.length > shown) context.log(`  and ${lines.length - shown} more`);
}

/** `12 hosts in 3 groups and in no group`. */
export function draftWords(draft: FleetDraft): string {
  const hosts = count(countHosts(draft), 'host');
  const named = draft.groups.filter(({ groupId }) => groupId !== ungroupedId).length;
  const apart = named < draft.groups.length;
  if (named === 0) return apart ? `${hosts} in no group` : hosts;
  return `${hosts} in ${count(named, 'group')}${apart ? ' and in no group' : ''}`;
}
