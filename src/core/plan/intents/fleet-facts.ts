import { memo } from '../../lib/memo.ts';
import { once } from '../../lib/once.ts';
import type { AssetTable } from '../../model/asset-table.ts';
import type { Identity } from '../../model/desired.ts';
import type { ExpressionSubject, TwinUse } from '../../model/expression.ts';
import {
  type Facts,
  inventoryKinds,
  type KeyFacts,
  noFacts,
  type TableFacts,
  type TwinFacts,
} from '../../model/facts.ts';
import type { HostId, Observed } from '../../model/observed.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { assetKey } from './asset-key.ts';
import { expressionsOf } from './expressions-of.ts';
import { subjectsAt } from './subject.ts';
import { tableIndex } from './table-index.ts';

/** The facts of a plan: those that were read, the time, the rows of tables, and what the whole fleet has in common. */
export function fleetFacts(
  { desired, facts = noFacts, now }: Pick<PlanInputs, 'desired' | 'facts' | 'now'>,
  observed: Observed,
): Facts {
  const twins = expressionsOf(desired).flatMap(({ expression }) => expression.twins ?? []);
  const { tables = [] } = desired;
  const known: Facts = {
    ...facts,
    now,
    ...(tables.length === 0 ? {} : { tables: tableFacts(tables) }),
    ...(twins.length === 0 ? {} : { twins: twinFacts(twins, observed, () => known) }),
  };
  return known;
}

function tableFacts(tables: readonly AssetTable[]): TableFacts {
  const joined = new Map(tables.map((table) => [table.name, joinOf(table)]));
  return {
    rowOf(table, subject: ExpressionSubject) {
      return joined.get(table)?.rowOf(subject) ?? -1;
    },
    cellOf(table, column, subject: ExpressionSubject) {
      const found = joined.get(table);
      const row = found?.rowOf(subject) ?? -1;
      return row === -1 ? undefined : found?.table.rows.cellAt(row, column);
    },
  };
}

interface Joined {
  readonly table: AssetTable;
  rowOf(subject: ExpressionSubject): number;
}

/** Expressions read one host after another, several times for each. A host whose key is unknown has no row. */
function joinOf(table: AssetTable): Joined {
  const index = once(() => tableIndex(table));
  const keyOf = once(() => table.join.begin());
  let last: ExpressionSubject | undefined;
  let lastRow = -1;
  return {
    table,
    rowOf(subject) {
      if (subject === last) return lastRow;
      const key = keyOf()(subject);
      lastRow = key.ok ? index().rowOf(key.value) : -1;
      last = subject;
      return lastRow;
    },
  };
}

function twinFacts(uses: readonly TwinUse[], observed: Observed, facts: () => Facts): TwinFacts {
  const bySource = new Map(uses.map((use) => [use.source, use]));
  const countsOf = memo((source: string) => {
    const counts = new Map<string, number>();
    const valueOf = bySource.get(source)?.begin();
    if (valueOf === undefined) return counts;
    const subjectAt = subjectsAt(observed, facts());
    for (let index = 0; index < observed.count; index += 1) {
      const value = valueOf(subjectAt(index));
      const key = value.ok ? assetKey(value.value) : undefined;
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  });
  return {
    othersWith(source, value) {
      const key = assetKey(value);
      return key === undefined ? undefined : Math.max(0, (countsOf(source).get(key) ?? 1) - 1);
    },
  };
}

/** The hosts that have a key. A key that identifies nothing belongs to no host. */
export type KeyMatch =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly id: HostId }
  | { readonly kind: 'shared'; readonly ids: readonly HostId[] }
  /** The facts of the host are older than the limit, or their age is unknown. */
  | { readonly kind: 'old'; readonly id: HostId };

/** The keys of all hosts. */
export interface HostKeys extends KeyFacts {
  readonly identity: Identity;
  find(key: string): KeyMatch;
  /** Whether the host has a known, usable key, and it is another one. */
  hasOther(id: HostId, key: string): boolean;
}

/** The keys of the fleet that was read, also for a predicted fleet: no step changes which machine a host is. */
export function hostKeysOf(inputs: PlanInputs): HostKeys | undefined {
  const { desired, observed } = inputs;
  const { identity } = desired;
  if (identity === undefined) return undefined;
  const keys = once(() => {
    const subjectAt = subjectsAt(observed, fleetFacts(inputs, observed));
    const keyOf = identity.key.begin();
    return Array.from({ length: observed.count }, (_, index) => {
      const key = keyOf(subjectAt(index));
      return key.ok ? assetKey(key.value) : undefined;
    });
  });
  const indexes = once(() => Map.groupBy(keys().keys(), (index) => keys()[index]));
  const isFresh = freshness(inputs, identity);
  const hostsWith = (key: string | undefined): KeyMatch => {
    const found = key === undefined ? [] : (indexes().get(key) ?? []);
    const ids = found.map((index) => observed.idAt(index));
    const [id] = ids;
    if (id === undefined) return { kind: 'none' };
    if (ids.length > 1) return { kind: 'shared', ids };
    return { kind: isFresh(id) ? 'one' : 'old', id };
  };
  return {
    identity,
    find: (text) => hostsWith(assetKey(text)),
    doubtAbout({ id }, name) {
      const { kind } = hostsWith(keys()[observed.indexOf(id)]);
      if (kind !== 'one') return kind;
      return observed.byName(name).length === 0 ? 'vacant' : undefined;
    },
    hasOther(id, text) {
      const own = keys()[observed.indexOf(id)];
      return own !== undefined && own !== assetKey(text);
    },
  };
}

/** Facts of lists are as old as the plan; inventory may have been read long ago. */
function freshness(
  { facts = noFacts, now }: PlanInputs,
  { key, maxAgeMs }: Identity,
): (id: HostId) => boolean {
  const kinds = inventoryKinds.filter((kind) => key.needs[kind].length > 0);
  return (id) =>
    kinds.every((kind) => {
      const at = facts.inventoryAt?.(kind, id) ?? listedAt(facts, kind);
      return at !== undefined && Date.parse(now) - Date.parse(at) <= maxAgeMs;
    });
}

/** The time of the oldest record, if the time of each is not known. */
function listedAt({ lists }: Facts, kind: (typeof inventoryKinds)[number]): string | undefined {
  return lists.find(({ list }) => list === `${kind}-inventory`)?.at;
}
