import type { GroupId, HostId } from '../../src/core/model/observed.ts';
import type { StoredHostState } from '../../src/service/emulator/fleet-state.ts';
import { createRandom } from '../../src/service/emulator/random.ts';

export interface DesiredHost {
  readonly id: HostId;
  readonly name: string;
  readonly groupId: GroupId;
}

export interface Reorganization {
  readonly before: readonly DesiredHost[];
  readonly after: readonly DesiredHost[];
}

export const groups = ['Berlin', 'Hamburg'].map((name, index) => ({
  id: String(10 + index) as GroupId,
  name,
}));
const [berlin, hamburg] = groups.map(({ id }) => id) as [GroupId, GroupId];

/**
 * One host in ten gets a new name, one in twenty the name of another of those in a random permutation, and one in ten
 * another group. With `largeIds`, half of the ids lie beyond 2^53.
 */
export function reorganization(size: number, { largeIds = false } = {}): Reorganization {
  const before = Array.from({ length: size }, (_, index): DesiredHost => {
    const id =
      largeIds && Math.floor(index / 20) % 2 === 0
        ? 9007199254740992n + BigInt(index)
        : BigInt(200_000_000 + index);
    return { id: String(id) as HostId, name: `BER-PC-${index}`, groupId: berlin };
  });
  const traded = before.flatMap(({ name }, index) => (index % 20 === 7 ? [name] : []));
  const random = createRandom(1);
  for (let index = traded.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [traded[index], traded[other]] = [traded[other] as string, traded[index] as string];
  }
  const after = before.map((host, index): DesiredHost => {
    if (index % 20 === 7) return { ...host, name: traded[(index - 7) / 20] as string };
    if (index % 10 === 3) return { ...host, name: `HAM-PC-${index}` };
    if (index % 10 === 5) return { ...host, groupId: hamburg };
    return host;
  });
  return { before, after };
}

/** What both tools read: exact ids, names, groups by name. */
export function tableOf(hosts: readonly DesiredHost[]): string {
  const rows = hosts.map(
    ({ id, name, groupId }) => `${id},${name},${groupId === berlin ? 'Berlin' : 'Hamburg'}`,
  );
  return `id,name,group\n${rows.join('\n')}\n`;
}

/** How many hosts are wrong hosts. */
export function countWrong(desired: readonly DesiredHost[], hosts: readonly StoredHostState[]): number {
  const byId = new Map(hosts.map((host) => [host.id, host]));
  return desired.filter(({ id, name, groupId }) => {
    const host = byId.get(id);
    return host?.name !== name || host.groupId !== groupId;
  }).length;
}
