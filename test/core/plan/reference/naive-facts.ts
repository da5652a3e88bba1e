import type { AssetTable } from '../../../../src/core/model/asset-table.ts';
import type { ExpressionSubject } from '../../../../src/core/model/expression.ts';
import { type Facts, noFacts } from '../../../../src/core/model/facts.ts';
import { foldName } from '../../../../src/core/model/host-name.ts';
import type { ObservedHost } from '../../../../src/core/model/observed.ts';
import { isProvenTemporaryName, readTemporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';

/** The temporary name of a host, if its hash proves that Rampart gave it. */
export function provenName({ id, name }: ObservedHost) {
  const found = readTemporaryName(name);
  return found !== undefined && isProvenTemporaryName(found, id) ? found : undefined;
}

/** The key of a row or of a twin, unless it is a text that identifies no machine. */
function keyOf(text: string): string | undefined {
  const folded = foldName(text.trim());
  const plain = folded.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /^(?:|na|[0x]|(.)\1{2,})$/u.test(plain) ? undefined : folded;
}

export function keysOf({ rows, key }: AssetTable): readonly (string | undefined)[] {
  return Array.from({ length: rows.count }, (_, row) => keyOf(rows.cellAt(row, key) ?? ''));
}

/** Hosts as expressions see them. Every cell and every twin is looked for among all rows and all hosts again. */
export function subjectsOf({ desired, now, observed }: PlanInputs, hosts: readonly ObservedHost[]) {
  const { rules, policy, tables = [] } = desired;
  const judges = [...policy.protect, ...policy.changes];
  const expressions = [
    ...rules.flatMap(({ when, rename }) => [when, rename]),
    ...judges.map(({ when }) => when),
  ];
  const twins = expressions.flatMap((each) => each?.twins ?? []);
  const rowOf = (name: string, subject: ExpressionSubject) => {
    const table = tables.find((each) => each.name === name);
    const joined = table?.join.begin()(subject);
    const key = joined?.ok ? keyOf(joined.value) : undefined;
    return table === undefined || key === undefined ? -1 : keysOf(table).indexOf(key);
  };
  const facts: Facts = {
    ...noFacts,
    now,
    tables: {
      rowOf: (name, subject: ExpressionSubject) => rowOf(name, subject),
      cellOf(name, column, subject: ExpressionSubject) {
        const row = rowOf(name, subject);
        return row === -1 ? undefined : tables.find((each) => each.name === name)?.rows.cellAt(row, column);
      },
    },
    twins: {
      othersWith(source, value) {
        const key = keyOf(value);
        const valueOf = twins.find((each) => each.source === source)?.begin();
        const alike = hosts.filter((host) => {
          const found = valueOf?.(subjectOf(host));
          return found?.ok && keyOf(found.value) === key;
        });
        return key === undefined ? undefined : Math.max(0, alike.length - 1);
      },
    },
  };
  return subjectOf;

  function subjectOf(host: ObservedHost): ExpressionSubject {
    const name = provenName(host)?.shown ?? host.name ?? '';
    return { id: host.id, host, name, group: observed.groupById(host.groupId)?.name ?? '', facts };
  }
}
