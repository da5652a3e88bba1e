import type { Entry, EntryAttribute } from '../../core/model/entry.ts';
import type { EntryValues } from '../schema/entry-fields.ts';

const none: readonly string[] = [];

/** The attributes that every entry has. */
const always: ReadonlySet<string> = new Set<EntryAttribute>(['previously', 'antivirus', 'ensure']);

/** Values come in one order, so that entries with the same attributes have the same shape in V8. */
export function composeEntry(index: number, values: EntryValues): Entry {
  const entry: Entry = {
    index,
    previously: previousNames(values),
    antivirus: values.antivirus !== undefined,
    ensure: values.ensure ?? 'present',
  };
  const attributes: Partial<Record<EntryAttribute, unknown>> = entry;
  for (const key in values) {
    const attribute = key as EntryAttribute;
    if (values[attribute] !== undefined && !always.has(key)) attributes[attribute] = values[attribute];
  }
  return entry;
}

/** If an entry has no id, its current name is one that the host can be found by. */
function previousNames({ id, current, previously = none }: EntryValues): readonly string[] {
  return id !== undefined || current === undefined ? previously : [...new Set([current, ...previously])];
}
