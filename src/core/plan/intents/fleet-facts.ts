import { memo } from '../../lib/memo.ts';
import { once } from '../../lib/once.ts';
import type { AssetTable } from '../../model/asset-table.ts';
import type { ExpressionSubject, TwinUse } from '../../model/expression.ts';
import { type Facts, noFacts } from '../../model/facts.ts';
import type { Observed } from '../../model/observed.ts';
import type { TableFacts, TwinFacts } from '../../model/table-facts.ts';
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
