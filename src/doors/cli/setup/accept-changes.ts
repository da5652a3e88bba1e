import type { HostId } from '../../../core/model/host-id.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { decodeSource } from '../../../input/sources/decode-source.ts';
import { type Acceptance, type AcceptedChange, acceptDrift } from '../../../input/writing/accept-drift.ts';
import { type EditedSource, isEditable, type OpenedState } from './edit-sources.ts';

/** What the entry of a host should request, or why it can't. */
export interface WantedChange {
  readonly hostId: HostId;
  readonly acceptance: Acceptance | string;
}

export interface AcceptedChanges<C> {
  readonly edited: readonly EditedSource[];
  readonly refused: readonly { readonly change: C; readonly why: string }[];
}

/** The edits that let entries request these changes. Nothing is written. */
export function acceptChanges<C extends WantedChange>(
  { sources, desired }: OpenedState,
  entries: ReadonlyMap<HostId, number>,
  changes: readonly C[],
): Result<AcceptedChanges<C>> {
  const refused: { readonly change: C; readonly why: string }[] = [];
  const byFile = new Map<string, (AcceptedChange & { readonly change: C })[]>();
  for (const change of changes) {
    const entry = entries.get(change.hostId);
    if (entry === undefined) refused.push({ change, why: 'a rule requests it' });
    else if (typeof change.acceptance === 'string') refused.push({ change, why: change.acceptance });
    else {
      const { file, line, col } = desired.placeOf(entry);
      byFile.set(file, [...(byFile.get(file) ?? []), { line, col, acceptance: change.acceptance, change }]);
    }
  }
  const edited: EditedSource[] = [];
  for (const [file, accepted] of byFile) {
    const source = sources.find((each) => each.file === file && isEditable(each));
    const text = source === undefined ? undefined : decodeSource(source);
    if (source === undefined || text === undefined) {
      refused.push(...accepted.map(({ change }) => ({ change, why: 'its entry is not in a YAML file' })));
      continue;
    }
    if (!text.ok) return text;
    const result = acceptDrift(text.value, accepted);
    if (!result.ok) return result;
    const { text: old } = text.value;
    const edits = result.value.edits.filter((edit) => old.slice(edit.start, edit.end) !== edit.text);
    edited.push({ source, edits });
    const why = "its entry does not set this, or has a form that Rampart can't edit";
    const left = new Set<AcceptedChange>(result.value.refused);
    refused.push(...accepted.filter((each) => left.has(each)).map(({ change }) => ({ change, why })));
  }
  return ok({ edited, refused });
}
