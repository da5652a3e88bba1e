import { ungroupedId } from '../../model/observed.ts';
import type { ChangePattern } from '../../model/plan-expectation.ts';
import type { GroupTarget } from '../intents/groups.ts';
import type { PlannedAct } from '../ordering/planned-acts.ts';

/** One pattern for each kind that a pattern names; a pattern without kinds matches all kinds. */
export function singlePatterns(pattern: ChangePattern): readonly ChangePattern[] {
  const { host, rename, move, antivirus, delete: toDelete, place } = pattern;
  const common = { ...(host === undefined ? {} : { host }), place };
  const single = [
    ...(rename === undefined ? [] : [{ ...common, rename }]),
    ...(move === undefined ? [] : [{ ...common, move }]),
    ...(antivirus === undefined ? [] : [{ ...common, antivirus }]),
    ...(toDelete === undefined ? [] : [{ ...common, delete: toDelete }]),
  ];
  return single.length === 0 ? [pattern] : single;
}

/** Does a pattern of one kind, or of all, match this change? */
export function isMeant(pattern: ChangePattern, act: PlannedAct): boolean {
  const { host, rename, move, antivirus, delete: toDelete } = pattern;
  if (host?.kind === 'id' && host.id !== act.hostId) return false;
  if (host?.kind === 'named' && host.name !== act.name) return false;
  if (rename !== undefined) return act.kind === 'rename' && (rename === 'any' || rename.to === act.to);
  if (move !== undefined) return act.kind === 'move' && (move === 'any' || goesTo(act, move));
  if (antivirus !== undefined) return act.kind === 'antivirus';
  return toDelete === undefined || act.kind === 'delete';
}

function goesTo({ group }: PlannedAct, intent: Exclude<ChangePattern['move'], 'any' | undefined>): boolean {
  switch (intent.kind) {
    case 'ungrouped':
      return group?.id === ungroupedId;
    case 'id':
      return group?.id === intent.id;
    case 'named':
      return group?.name === intent.name;
  }
}

/** `rename "A" (1) to "B"`. */
export function describeAct({ kind, hostId, name, to, group }: PlannedAct): string {
  const host = name === null ? `host ${hostId}` : `"${name}" (${hostId})`;
  switch (kind) {
    case 'rename':
      return `rename ${host} to "${to}"`;
    case 'move':
      return `move ${host}${group === undefined ? '' : describeTarget(group)}`;
    case 'antivirus':
      return `install the anti-virus on ${host}`;
    case 'delete':
      return `delete ${host}`;
  }
}

function describeTarget({ id, name }: GroupTarget): string {
  if (id === ungroupedId) return ' out of its group';
  return name === null ? ` to group ${id}` : ` to "${name}"`;
}

/** The same of a pattern: `rename "A"`, `delete any host`. */
export function describePattern({ host, rename, move, antivirus, delete: toDelete }: ChangePattern): string {
  const who = host === undefined ? 'any host' : host.kind === 'id' ? `host ${host.id}` : `"${host.name}"`;
  if (rename !== undefined) return `rename ${who}${rename === 'any' ? '' : ` to "${rename.to}"`}`;
  if (move !== undefined) return `move ${who}${move === 'any' ? '' : describeIntent(move)}`;
  if (antivirus !== undefined) return `install the anti-virus on ${who}`;
  return toDelete === undefined ? `change ${who}` : `delete ${who}`;
}

function describeIntent(intent: Exclude<ChangePattern['move'], 'any' | undefined>): string {
  switch (intent.kind) {
    case 'ungrouped':
      return ' out of its group';
    case 'id':
      return ` to group ${intent.id}`;
    case 'named':
      return ` to "${intent.name}"`;
  }
}
