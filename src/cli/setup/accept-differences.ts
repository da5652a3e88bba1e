import type { HostId } from '../../core/model/host-id.ts';
import type { Difference } from '../../core/plan/drift/drift.ts';
import { matchEntries } from '../../core/plan/intents/match.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import { decodeSource, type Source } from '../../input/sources/decode-source.ts';
import {
  type Acceptance,
  type AcceptedChange,
  type AcceptOptions,
  acceptDrift,
} from '../../input/writing/accept-drift.ts';
import { acceptRows } from '../../input/writing/accept-rows.ts';
import { addEntries, type NewEntry } from '../../input/writing/add-hosts.ts';
import { whyUnclaimable } from '../../input/writing/claimable-name.ts';
import { createIntents } from '../../input/writing/draft-fleet.ts';
import type { TextEdit } from '../../input/writing/text-edit.ts';
import type { FoundDrift } from '../planning/read-drift.ts';
import { type EditedSource, isEditable, type OpenedState } from './edit-sources.ts';

export const byRule = 'a rule requests it';

export interface AcceptedDifferences {
  readonly edited: readonly EditedSource[];
  readonly refused: readonly RefusedDifference[];
}

export interface RefusedDifference {
  readonly difference: Difference;
  readonly why: string;
  /** An entry that overrides the rule, if no file can be edited. */
  readonly proposal?: NewEntry;
}

/**
 * The edits that let the desired state request what the fleet has: in the entry of the host, in YAML or in a table.
 * With `mayAdd`, an entry also overrides a rule that requests something else. Nothing is written.
 */
export function acceptDifferences(
  { sources, tables, desired }: OpenedState,
  found: Pick<FoundDrift, 'desired' | 'observed'>,
  differences: readonly Difference[],
  options: AcceptOptions,
): Result<AcceptedDifferences> {
  const refused: RefusedDifference[] = [];
  const byFile = new Map<string, (AcceptedChange & { readonly difference: Difference })[]>();
  const additions = new Map<Source | null, Map<HostId, Addition>>();
  const entries = entriesOf(found);
  const intents = createIntents(found.observed);
  for (const difference of differences) {
    const { hostId } = difference;
    const acceptance = acceptanceOf(difference, found, intents);
    const entry = entries.get(hostId);
    if (typeof acceptance === 'string') refused.push({ difference, why: acceptance });
    else if (entry !== undefined) {
      const { file, line, col } = desired.placeOf(entry);
      byFile.set(file, [...(byFile.get(file) ?? []), { line, col, acceptance, difference }]);
    } else if (!options.mayAdd) refused.push({ difference, why: byRule });
    else {
      const target = targetFor(difference, sources);
      const ofTarget = additions.get(target) ?? new Map<HostId, Addition>();
      additions.set(target, ofTarget);
      const made = ofTarget.get(hostId) ?? { differences: [], acceptances: [] };
      made.differences.push(difference);
      made.acceptances.push(acceptance);
      ofTarget.set(hostId, made);
    }
  }

  const edits = new Map<Source, readonly TextEdit[]>();
  for (const [file, changes] of byFile) {
    const accepted = acceptIn(file, changes, { sources, tables }, options);
    if (!accepted.ok) return accepted;
    const { source, edits: own, left, why } = accepted.value;
    if (source !== undefined) edits.set(source, own);
    refused.push(...changes.filter((each) => left.has(each)).map(({ difference }) => ({ difference, why })));
  }
  for (const [source, hosts] of additions) {
    const added = [...hosts].map(([id, addition]) => ({ ...addition, entry: newEntry(id, addition) }));
    const possible = added.filter(({ entry }) => entry !== undefined);
    for (const each of added) {
      if (source !== null && each.entry !== undefined) continue;
      const why =
        each.entry === undefined
          ? "a rule requests it, which an entry can't override"
          : 'a script requests it';
      const proposal = each.entry === undefined ? {} : { proposal: each.entry };
      refused.push(...each.differences.map((difference) => ({ difference, why, ...proposal })));
    }
    if (source === null) continue;
    const text = decodeSource(source);
    if (!text.ok) return text;
    const more = addEntries(
      text.value,
      possible.flatMap(({ entry }) => entry ?? []),
    );
    if (!more.ok) return more;
    edits.set(source, merged(edits.get(source) ?? [], more.value));
  }
  const edited = [...edits].map(([source, own]) => ({ source, edits: own }));
  return ok({ edited: edited.filter((each) => each.edits.length > 0), refused });
}

interface Addition {
  readonly differences: Difference[];
  readonly acceptances: Acceptance[];
}

/** The file of the rule, or the last file that can be edited. */
function targetFor({ place }: Difference, sources: readonly Source[]): Source | null {
  const editable = sources.filter(isEditable);
  return editable.find(({ file }) => file === place?.file) ?? editable.at(-1) ?? null;
}

/** Undefined if an entry can't override the rule: it can't turn off an install. */
function newEntry(id: HostId, { acceptances }: Addition): NewEntry | undefined {
  if (acceptances.some(({ kind }) => kind !== 'name' && kind !== 'group')) return undefined;
  const name = acceptances.find((each) => each.kind === 'name')?.name;
  const intent = acceptances.find((each) => each.kind === 'group')?.group;
  const host = { id, current: null, ...(name === undefined ? {} : { name }), antivirus: false };
  return { host, intent, remarks: [] };
}

interface AcceptedInFile {
  readonly source: Source | undefined;
  readonly edits: readonly TextEdit[];
  readonly left: ReadonlySet<AcceptedChange>;
  readonly why: string;
}

function acceptIn(
  file: string,
  changes: readonly AcceptedChange[],
  { sources, tables }: Pick<OpenedState, 'sources' | 'tables'>,
  options: AcceptOptions,
): Result<AcceptedInFile> {
  const table = tables.find((each) => each.file === file);
  const source = table ?? sources.find((each) => each.file === file && isEditable(each));
  if (source === undefined)
    return ok({ source, edits: [], left: new Set(changes), why: 'its entry is in a script' });
  const text = decodeSource(source, table === undefined ? 'yaml' : 'csv');
  if (!text.ok) return text;
  const accept = table === undefined ? acceptDrift : acceptRows;
  const accepted = accept(text.value, changes, options);
  if (!accepted.ok) return accepted;
  const { text: old } = text.value;
  const edits = accepted.value.edits.filter((edit) => old.slice(edit.start, edit.end) !== edit.text);
  const why =
    table === undefined
      ? "its entry does not set this, or has a form that Rampart can't edit"
      : 'its row does not set this, or the table has no column for it';
  return ok({ source, edits, left: new Set(accepted.value.refused), why });
}

/** New entries follow the last entry, which may itself be removed. */
function merged(edits: readonly TextEdit[], more: readonly TextEdit[]): readonly TextEdit[] {
  const removal = edits.find(({ start, end }) => more.some((each) => each.start > start && each.start < end));
  if (removal === undefined) return [...edits, ...more];
  const text = `${more.map((each) => each.text.replace(/^\r?\n/, '')).join('')}\n`;
  return edits.map((edit) => (edit === removal ? { ...edit, text } : edit));
}

/** The entry of each host, by the host's id: also of hosts that were deleted, if the entry pins the id. */
function entriesOf({
  desired,
  observed,
}: Pick<FoundDrift, 'desired' | 'observed'>): ReadonlyMap<HostId, number> {
  const matching = matchEntries(desired, observed, { strict: false });
  const gone = matching.awaiting.flatMap(({ id, index }) => (id === undefined ? [] : [[id, index] as const]));
  return new Map([...matching.matches().map(({ entry, host }) => [host.id, entry.index] as const), ...gone]);
}

/** What the entry should request, or why it can't. */
function acceptanceOf(
  { attribute, hostId, observed: value }: Difference,
  { observed }: Pick<FoundDrift, 'observed'>,
  intents: ReturnType<typeof createIntents>,
): Acceptance | string {
  if (attribute === 'presence')
    return value === 'absent' ? { kind: 'no-host' } : 'the file requests its deletion';
  const host = observed.byId(hostId);
  if (host === undefined) return 'the list does not have the host';
  switch (attribute) {
    case 'name': {
      const why = whyUnclaimable(host, observed, () => false);
      return why ?? { kind: 'name', name: host.name as string };
    }
    case 'group': {
      const group = intents(host.groupId);
      return group === undefined ? 'the list does not have its group' : { kind: 'group', group };
    }
    case 'antivirus':
      return { kind: 'no-antivirus' };
  }
}
