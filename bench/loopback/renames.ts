import { type Desired, generatedDesired } from '../../src/core/model/desired.ts';
import type { Entry } from '../../src/core/model/entry.ts';
import { type HostId, type Observed, observe, ungroupedId } from '../../src/core/model/observed.ts';

/** Half of the ids lie beyond 2^53. */
export function idOf(index: number): HostId {
  const id = index % 2 === 0 ? 9007199254740993n + BigInt(index) : BigInt(200_000_000 + index);
  return String(id) as HostId;
}

/** Each measurement gives every host one name more. */
export function nameOf(index: number, generation: number): string {
  return `BER-WEB-${index}-${generation}`;
}

export function observedAt(size: number, generation: number): Observed {
  return observe({
    takenAt: new Date().toISOString(),
    lists: [],
    groups: [{ id: ungroupedId, name: null }],
    hosts: Array.from({ length: size }, (_, index) => ({
      id: idOf(index),
      name: nameOf(index, generation),
      groupId: ungroupedId,
      online: true,
    })),
  });
}

export function desiredAt(size: number, generation: number): Desired {
  const place = { file: 'fleet.yaml', line: 1, col: 1 };
  const entries = Array.from(
    { length: size },
    (_, index): Entry => ({
      index,
      id: idOf(index),
      name: nameOf(index, generation),
      previously: [],
      antivirus: false,
      ensure: 'present',
    }),
  );
  return { ...generatedDesired(entries, place), files: [place.file] };
}
