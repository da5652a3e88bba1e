import type { FleetDraft } from '../../input/writing/fleet-draft.ts';
import { count } from '../../output/review/count.ts';
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
