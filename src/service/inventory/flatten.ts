import type { FactValue, InventoryRecord } from '../../core/model/facts.ts';

/** A leaf of a record and its path, such as `processors[0].speed`. */
export interface Leaf {
  readonly path: string;
  readonly value: string | number | boolean | null;
}

/** The leaves of a record in order, without the host's id. */
export function leavesOf(record: InventoryRecord): readonly Leaf[] {
  return Object.entries(record).flatMap(([field, value]) => (field === 'hostId' ? [] : leaves(field, value)));
}

/** One text for each field, such as `processors.speed`; the values of several parts are joined. */
export function cellsOf(record: InventoryRecord): ReadonlyMap<string, string> {
  const parts = new Map<string, string[]>();
  for (const { path, value } of leavesOf(record)) {
    const member = path.replaceAll(partNumber, '');
    const values = parts.get(member) ?? [];
    values.push(value === null ? '' : String(value));
    parts.set(member, values);
  }
  return new Map([...parts].map(([member, values]) => [member, values.join('; ')]));
}

const partNumber = /\[\d+\]/g;

function leaves(path: string, value: FactValue): readonly Leaf[] {
  if (value === null || typeof value !== 'object') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((part, index) => leaves(`${path}[${index}]`, part));
  return Object.entries(value).flatMap(([member, part]) => leaves(`${path}.${member}`, part));
}
