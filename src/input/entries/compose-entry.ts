import type { Entry, EntryAttribute } from '../../core/model/entry.ts';
import { type EntryValues, entryAttributes } from '../schema/entry-fields.ts';

const none: readonly string[] = [];

/** The attributes that an entry may lack. */
const optional = entryAttributes.filter((key) => !['previously', 'antivirus', 'ensure'].includes(key));

/** Attributes are set in one order, so that entries that say the same kinds of things are of one shape to the engine. */
export function composeEntry(index: number, values: EntryValues): Entry {
  const entry: Entry = {
    index,
    previously: previousNames(values),
    antivirus: values.antivirus !== undefined,
    ensure: values.ensure ?? 'present',
  };
  const attributes: Partial<Record<EntryAttribute, unknown>> = entry;
  for (const key of optional) if (values[key] !== undefined) attributes[key] = values[key];
  return entry;
}

/** Without an id, the present name is one to find the host by. */
function previousNames({ id, current, previously = none }: EntryValues): readonly string[] {
  return id !== undefined || current === undefined ? previously : [...new Set([current, ...previously])];
}
