import type { Desired } from '../../core/model/desired.ts';
import type { HostId } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { decodeSource, type Source } from '../sources/decode-source.ts';
import { addEntries, type NewEntry } from './add-hosts.ts';
import { type ChangeOptions, changeEntries, type EntryChange, type PlacedChange } from './change-entries.ts';
import { changeRows } from './change-rows.ts';
import { type EditedSource, isEditable, type OpenedSources } from './edited-source.ts';
import type { TextEdit } from './text-edit.ts';

/** What the desired state should request of one host instead. */
export interface HostEdit<Of> {
  readonly hostId: HostId;
  /** The index of the host's entry in the desired state; undefined if it has none. */
  readonly entry: number | undefined;
  readonly change: EntryChange;
  /** The file that a new entry should be in, such as that of the rule which it overrides. */
  readonly file?: string | undefined;
  /** The caller's identifier of the change. */
  readonly of: Of;
}

export interface ChangedHosts<Of> {
  readonly edited: readonly EditedSource[];
  readonly refused: readonly RefusedChange<Of>[];
}

export interface RefusedChange<Of> {
  readonly of: Of;
  readonly why: string;
  /** An entry that overrides the rule, if no file can be edited. */
  readonly proposal?: NewEntry;
}

export interface ChangeHostsOptions extends ChangeOptions {
  /** Whether a file may get entries of hosts that have none; every file that can be edited, if absent. */
  readonly mayAddTo?: ((file: string) => boolean) | undefined;
}

export const byRule = 'a rule requests it';

/**
 * The edits that change what the desired state requests of hosts: in the entry of a host, in YAML or in a table. With
 * `mayAdd`, a host without an entry gets one, which overrides rules. Nothing is written.
 */
export function changeHosts<Of>(
  state: OpenedSources & { readonly desired: Desired },
  changes: readonly HostEdit<Of>[],
  options: ChangeHostsOptions,
): Result<ChangedHosts<Of>> {
  const edits = new Map<Source, readonly TextEdit[]>();
  const refused: RefusedChange<Of>[] = [];
  const ofEntries = changes.flatMap(({ entry, change, of }) =>
    entry === undefined ? [] : [{ ...state.desired.placeOf(entry), change, of }],
  );
  for (const [file, own] of Map.groupBy(ofEntries, (each) => each.file)) {
    const changed = changeIn(file, own, state, options);
    if (!changed.ok) return changed;
    const { source, edits: made, left, why } = changed.value;
    if (source !== undefined) edits.set(source, made);
    for (const each of own) if (left.has(each)) refused.push({ of: each.of, why });
  }

  const others = changes.filter(({ entry }) => entry === undefined);
  if (!options.mayAdd) refused.push(...others.map(({ of }) => ({ of, why: byRule })));
  else
    for (const [source, own] of Map.groupBy(others, targetsIn(state, options))) {
      const added = addTo(source, own, options);
      if (!added.ok) return added;
      refused.push(...added.value.refused);
      if (source !== null) edits.set(source, merged(edits.get(source) ?? [], added.value.edits));
    }
  const edited = [...edits].map(([source, own]) => ({ source, edits: own }));
  return ok({ edited: edited.filter((each) => each.edits.length > 0), refused });
}

/** The file that gets a new entry: the one that the change names, or the last; null if no file may get it. */
function targetsIn(
  { sources }: OpenedSources,
  { mayAddTo = () => true }: ChangeHostsOptions,
): (edit: HostEdit<unknown>) => Source | null {
  const editable = sources.filter((source) => isEditable(source) && mayAddTo(source.file));
  return ({ file }) => editable.find((source) => source.file === file) ?? editable.at(-1) ?? null;
}

/** New entries for hosts that have none. They override rules. */
function addTo<Of>(
  source: Source | null,
  changes: readonly HostEdit<Of>[],
  { mayAddTo }: ChangeHostsOptions,
): Result<{ readonly edits: readonly TextEdit[]; readonly refused: readonly RefusedChange<Of>[] }> {
  const noFile =
    mayAddTo === undefined
      ? 'a script requests it'
      : 'it has no entry, and every file is a script or serves other accounts too';
  const entries: NewEntry[] = [];
  const refused: RefusedChange<Of>[] = [];
  for (const [id, own] of Map.groupBy(changes, ({ hostId }) => hostId)) {
    const entry = newEntry(id, own);
    if (entry === undefined)
      refused.push(
        ...own.map(({ of }) => ({ of, why: "a rule requests it, which an entry can't override" })),
      );
    else if (source === null) refused.push(...own.map(({ of }) => ({ of, why: noFile, proposal: entry })));
    else entries.push(entry);
  }
  const text = source === null ? ok(null) : decodeSource(source);
  if (!text.ok) return text;
  const added = text.value === null ? ok([]) : addEntries(text.value, entries);
  return added.ok ? ok({ edits: added.value, refused }) : added;
}

/** Undefined if an entry can't override the rule: it can't turn off an install. */
function newEntry(id: HostId, changes: readonly HostEdit<unknown>[]): NewEntry | undefined {
  const all = changes.map(({ change }) => change);
  if (all.some(({ kind }) => kind === 'no-antivirus' || kind === 'no-host')) return undefined;
  const name = all.find((each) => each.kind === 'name')?.name;
  const intent = all.find((each) => each.kind === 'group')?.group;
  const host = {
    id,
    current: null,
    ...(name === undefined ? {} : { name }),
    antivirus: all.some(({ kind }) => kind === 'antivirus'),
    ...(all.some(({ kind }) => kind === 'absent') ? { absent: true as const } : {}),
  };
  return { host, intent, remarks: [] };
}

interface ChangedFile {
  readonly source: Source | undefined;
  readonly edits: readonly TextEdit[];
  readonly left: ReadonlySet<PlacedChange>;
  readonly why: string;
}

function changeIn(
  file: string,
  changes: readonly PlacedChange[],
  { sources, tables }: OpenedSources,
  options: ChangeOptions,
): Result<ChangedFile> {
  const table = tables.find((each) => each.file === file);
  const source = table ?? sources.find((each) => each.file === file && isEditable(each));
  if (source === undefined)
    return ok({ source, edits: [], left: new Set(changes), why: 'its entry is in a script' });
  const text = decodeSource(source, table === undefined ? 'yaml' : 'csv');
  if (!text.ok) return text;
  const change = table === undefined ? changeEntries : changeRows;
  const changed = change(text.value, changes, options);
  if (!changed.ok) return changed;
  const { text: old } = text.value;
  const edits = changed.value.edits.filter((edit) => old.slice(edit.start, edit.end) !== edit.text);
  const why =
    table === undefined
      ? "its entry does not set this, or has a form that Rampart can't edit"
      : "its row does not set this, or the table can't contain it";
  return ok({ source, edits, left: new Set(changed.value.refused), why });
}

/** New entries follow the last entry, which may itself be removed. */
function merged(edits: readonly TextEdit[], more: readonly TextEdit[]): readonly TextEdit[] {
  const removal = edits.find(({ start, end }) => more.some((each) => each.start > start && each.start < end));
  if (removal === undefined) return [...edits, ...more];
  const text = more.map((each) => each.text.replace(/^(\r?\n)([^]*)$/, '$2$1')).join('');
  return edits.map((edit) => (edit === removal ? { ...edit, text } : edit));
}
