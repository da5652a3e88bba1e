import { printable } from '../../../core/lib/printable.ts';
import { count, countIfAny } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import type { FleetChange } from '../../fleet/fleet-changes.ts';
import type { FleetPlan } from '../../fleet/plan-fleet.ts';

/** Changes by host, in one line each: `'H-7': rename to 'H-8'; move from 'A' to no group (fleet.yaml:3)`. */
export function changeLines(changes: readonly FleetChange[]): Readonly<Record<string, string>> {
  const byHost = Map.groupBy(changes, ({ hostId }): HostId => hostId);
  return Object.fromEntries(Array.from(byHost, ([hostId, own]) => [hostId, lineOf(own)]));
}

function lineOf(own: readonly FleetChange[]): string {
  const name = own[0]?.name ?? null;
  const reasons = [...new Set(own.map(({ reason }) => printable(reason)))];
  const before = name === null ? 'a host without a name' : quotedText(name);
  return `${before}: ${own.map(words).join('; ')} (${reasons.join(', ')})`;
}

function words({ kind, from, to }: FleetChange): string {
  switch (kind) {
    case 'rename':
      return `rename to ${quotedText(to ?? '')}`;
    case 'move':
      return `move from ${from === null ? 'no group' : quotedText(from)} to ${to === null ? 'no group' : quotedText(to)}`;
    case 'antivirus':
      return 'install the anti-virus';
    case 'refresh':
      return 'ask for the anti-virus status';
    case 'delete':
      return 'delete';
  }
}

/** In apostrophes, because Terraform would show quotation marks with a backslash. */
export function quotedText(name: string): string {
  return `'${printable(name).replaceAll("'", "\\'")}'`;
}

/** The numbers of changes and calls in one line: `2 renames, 1 deletion (3 calls)`. */
export function changeSummary({ counts, calls, changes }: FleetPlan): string {
  const refreshes = changes.filter(({ kind }) => kind === 'refresh').length;
  const parts = [
    countIfAny(counts.rename, 'rename'),
    countIfAny(counts.move, 'move'),
    countIfAny(counts.antivirus, 'anti-virus install'),
    countIfAny(refreshes, 'status request'),
    countIfAny(counts.delete, 'deletion'),
  ].flat();
  return parts.length === 0 ? 'no changes' : `${parts.join(', ')} (${count(calls, 'call')})`;
}
