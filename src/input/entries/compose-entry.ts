import type { Entry } from '../../core/model/entry.ts';
import type { HostId } from '../../core/model/host-id.ts';

/** What was read of one entry; undefined for what it does not say. */
export interface EntryValues {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly current: string | undefined;
  readonly previously: readonly string[] | undefined;
  readonly group: Entry['group'] | undefined;
  readonly antivirus: 'installed' | undefined;
  readonly ensure: Entry['ensure'] | undefined;
  readonly deleteAfter: string | undefined;
  readonly protect?: Entry['protect'] | undefined;
  readonly ignore?: Entry['ignore'] | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const none: readonly string[] = [];

/** Attributes are set in one order, so that entries that say the same kinds of things are of one shape to the engine. */
export function composeEntry(index: number, values: EntryValues): Entry {
  const { id, name, current, previously, group, antivirus, ensure, deleteAfter, protect, ignore } = values;
  const entry: Writable<Entry> = {
    index,
    previously: previousNames(id, current, previously),
    antivirus: antivirus !== undefined,
    ensure: ensure ?? 'present',
  };
  if (id !== undefined) entry.id = id as HostId;
  if (name !== undefined) entry.name = name;
  if (current !== undefined) entry.current = current;
  if (group !== undefined) entry.group = group;
  if (deleteAfter !== undefined) entry.deleteAfter = deleteAfter;
  if (protect !== undefined) entry.protect = protect;
  if (ignore !== undefined) entry.ignore = ignore;
  return entry;
}

/** Without an id, the present name is one to find the host by. */
function previousNames(
  id: string | undefined,
  current: string | undefined,
  previously: readonly string[] = none,
): readonly string[] {
  return id !== undefined || current === undefined ? previously : [...new Set([current, ...previously])];
}
