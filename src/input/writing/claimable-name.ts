import { compareInt64 } from '../../core/lib/int64.ts';
import { foldName, hasLineBreak } from '../../core/model/host-name.ts';
import type { HostId, Observed, ObservedHost } from '../../core/model/observed.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { commentName } from './comment-text.ts';

/** Once escaped, longer names do not fit into a line that the reader accepts. */
export const longestName = 100_000;
const mostListed = 5;

/** Why an entry can't claim the name that a host has; undefined if it can. */
export function whyUnclaimable(
  host: ObservedHost,
  observed: Observed,
  isTaken: (folded: string) => boolean,
): string | undefined {
  const { name } = host;
  if (name === null) return 'the service has no name for it';
  const temporary = readTemporaryName(name);
  if (temporary !== undefined) {
    return temporary.kind === 'rename'
      ? `an unfinished run left its temporary name; its intended name is ${commentName(temporary.shown)}`
      : `an unfinished run was about to delete it; its previous name is ${commentName(temporary.shown)}`;
  }
  if (name.trim() === '') return `its name is blank: ${commentName(name)}`;
  if (hasLineBreak(name)) return `its name contains a line break: ${commentName(name)}`;
  if (!name.isWellFormed()) return `its name contains half a character: ${commentName(name)}`;
  if (name.length > longestName) return `its name has ${name.length} characters: ${commentName(name)}`;
  const folded = foldName(name);
  const owners = observed.byFoldedName(folded);
  if (owners.length > 1) return sharedName(host.id, name, owners);
  if (isTaken(folded)) return `its name ${commentName(name)} is claimed by another entry`;
  return undefined;
}

function sharedName(id: HostId, name: string, owners: readonly ObservedHost[]): string {
  const shared = `the service may treat its name ${commentName(name)} as equal to`;
  if (owners.length > mostListed) return `${shared} the names of ${owners.length - 1} other hosts`;
  const others = owners
    .filter((owner) => owner.id !== id)
    .toSorted((a, b) => compareInt64(a.id, b.id))
    .map((other) => `${commentName(other.name as string)} (host ${other.id})`);
  return `${shared} ${others.join(', ')}`;
}
