import { failed, ok, problem, type Result } from '../problem/problem.ts';
import type { FactNeeds } from './facts.ts';
import type { ListName } from './observed.ts';
import type { Snapshot } from './snapshot.ts';

interface Need {
  readonly list: ListName;
  readonly what: string;
  readonly flag: string;
}

/** A list that is needed but was not saved is a failure: its facts are unknown, which is not the same as none. */
export function checkSnapshot(snapshot: Snapshot, needs: FactNeeds, file: string): Result<Snapshot> {
  const has = new Set([...snapshot.observed.lists, ...snapshot.facts.lists].map(({ list }) => list));
  const lacking = neededLists(needs).filter(({ list }) => !has.has(list));
  if (lacking.length === 0) return ok(snapshot);
  const flags = [...new Set(lacking.map(({ flag }) => flag))].join(' ');
  return failed(
    problem(
      'snapshot-invalid',
      `the desired state needs ${lacking.map(({ what }) => what).join(', ')}, and the snapshot ${file} does not contain it`,
      { hint: `save a new snapshot with: rampart hosts snapshot ${flags} --out FILE` },
    ),
  );
}

function neededLists(needs: FactNeeds): readonly Need[] {
  return [
    ...(needs.antivirus
      ? [{ list: 'antivirus-details', what: 'the anti-virus', flag: '--antivirus' } as const]
      : []),
    ...(needs.customFields
      ? [{ list: 'custom-fields', what: 'custom fields', flag: '--custom-fields' } as const]
      : []),
    ...(needs.hardware.length > 0
      ? [{ list: 'hardware-inventory', what: 'hardware inventory', flag: '--inventory' } as const]
      : []),
    ...(needs.system.length > 0
      ? [{ list: 'system-inventory', what: 'system inventory', flag: '--inventory' } as const]
      : []),
  ];
}
