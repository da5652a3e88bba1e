import { compareNaturally } from '../../../core/lib/natural-order.ts';
import type { GroupIntent, HostId } from '../../../core/model/observed.ts';

/** A host that a person chose. */
export interface ChosenHost {
  readonly account: string;
  readonly hostId: HostId;
  readonly name: string | null;
}

/** A change that a person requests, except for the adoption of drift, which has a separate value for each host. */
export type SelectedChange =
  | { readonly kind: 'move'; readonly group: string | null }
  | { readonly kind: 'rename'; readonly find: string; readonly replace: string }
  | { readonly kind: 'antivirus' }
  | { readonly kind: 'delete' };

/** What the entry of a host should request. */
export type RequestedChange =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'group'; readonly group: GroupIntent }
  | { readonly kind: 'antivirus' }
  | { readonly kind: 'absent' };

/** A change of one host, or the reason why there is none. */
export type HostRequest = ChosenHost & ({ readonly change: RequestedChange } | { readonly why: string });

/** What a change means for each host. Numbers in names follow the order of the names, over all accounts. */
export function selectedChanges(
  hosts: readonly ChosenHost[],
  change: SelectedChange,
): readonly HostRequest[] {
  switch (change.kind) {
    case 'rename':
      return renames(hosts, change);
    case 'move': {
      const group: GroupIntent =
        change.group === null ? { kind: 'ungrouped' } : { kind: 'named', name: change.group };
      return hosts.map((host) => ({ ...host, change: { kind: 'group', group } }));
    }
    case 'antivirus':
      return hosts.map((host) => ({ ...host, change: { kind: 'antivirus' } }));
    case 'delete':
      return hosts.map((host) => ({ ...host, change: { kind: 'absent' } }));
  }
}

const counter = /\{(n+)\}/g;

function renames(
  hosts: readonly ChosenHost[],
  { find, replace }: Extract<SelectedChange, { kind: 'rename' }>,
): readonly HostRequest[] {
  let number = 0;
  return hosts
    .toSorted((a, b) => compareNaturally(a.name ?? '', b.name ?? '') || (a.hostId < b.hostId ? -1 : 1))
    .map((host) => {
      const old = host.name ?? '';
      if (!old.includes(find)) return { ...host, why: 'its name does not contain the text to replace' };
      number += 1;
      const text = replace.replace(counter, (_, width: string) => String(number).padStart(width.length, '0'));
      const name = find === '' ? text : old.split(find).join(text);
      if (name.trim() === '') return { ...host, why: 'its name would be empty' };
      return name === old
        ? { ...host, why: 'it has this name already' }
        : { ...host, change: { kind: 'name', name } };
    });
}
