import { stringify } from 'yaml';
import { memo } from '../../core/lib/memo.ts';
import {
  type CategoryState,
  defaultAntivirus,
  type FleetState,
  hostState,
  type StoredAntivirus,
  type StoredHostState,
  ungrouped,
  withVendorInstalled,
} from './fleet-state.ts';

/** The fleet as a seed file that reads back to the same fleet. Defaults are left out. */
export function printSeed(state: FleetState): string {
  const groupWord = groupWords(state);
  const words = memo(wordsOf);
  const seed = {
    companyId: BigInt(state.companyId),
    psk: state.psk,
    groups: state.groups.map((group) => ({ id: BigInt(group.id), name: group.name })),
    customFields: state.categories,
    hosts: state.hosts.map((host) => printHost(host, groupWord(host.groupId), state.categories, words)),
  };
  return stringify(seed, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** A group's name if no other group has it, else its id. */
function groupWords(state: FleetState): (id: string) => string | bigint | undefined {
  const byName = Map.groupBy(state.groups, (group) => group.name);
  const words = new Map(
    state.groups.map(({ id, name }) => [
      id,
      name !== null && byName.get(name)?.length === 1 ? name : BigInt(id),
    ]),
  );
  return (id) => (id === ungrouped ? undefined : words.get(id));
}

function printHost(
  host: StoredHostState,
  group: string | bigint | undefined,
  categories: readonly CategoryState[],
  words: typeof wordsOf,
): Readonly<Record<string, unknown>> {
  const usual = hostState({ id: host.id, name: host.name });
  const unusual = <T>(value: T, usually: T): T | undefined => (value === usually ? undefined : value);
  const customFields = Object.entries(host.customFields).map(([categoryId, valueId]) => {
    const values = categories.find((category) => category.id === categoryId)?.values ?? [];
    return [words(categories).get(categoryId) ?? categoryId, words(values).get(valueId) ?? valueId];
  });
  return {
    id: BigInt(host.id),
    name: host.name,
    group,
    online: unusual(host.online, usual.online),
    computerName: unusual(host.computerName, usual.computerName),
    stateChangedAt: unusual(host.stateChangedAt, usual.stateChangedAt),
    inSession: unusual(host.inSession, usual.inSession),
    antivirus: printAntivirus(host.antivirus),
    customFields: customFields.length === 0 ? undefined : Object.fromEntries(customFields),
    inventory: host.inventory,
  };
}

/** For each id the name, if it is unambiguous, or the id. */
function wordsOf(
  items: readonly { readonly id: string; readonly name: string }[],
): ReadonlyMap<string, string> {
  const meant = Map.groupBy(
    items.flatMap(({ id, name }) => [...new Set([id, name])]),
    (word) => word,
  );
  return new Map(items.map(({ id, name }) => [id, meant.get(name)?.length === 1 ? name : id]));
}

function printAntivirus(facts: StoredAntivirus): unknown {
  const usual = facts.installed ? withVendorInstalled(defaultAntivirus) : defaultAntivirus;
  const unusual = Object.entries(facts).filter(
    ([key, value]) => value !== usual[key as keyof StoredAntivirus],
  );
  if (unusual.length === 0) return facts.installed ? 'installed' : undefined;
  const written = unusual.map(([key, value]) => [
    key,
    key === 'installEndsAt' ? new Date(value as number).toISOString() : value,
  ]);
  return { ...(facts.installed ? { installed: true } : {}), ...Object.fromEntries(written) };
}
