import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import {
  type CoverageFinding,
  type CoverageGap,
  type CoverageGroup,
  coverageGaps,
  type TableCoverage,
} from '../../core/plan/coverage.ts';
import type { TextStyle } from './color.ts';
import { type Column, paintTable } from './columns.ts';
import { gapWords, subjectWords } from './coverage-columns.ts';

/** More findings of a kind are counted; CSV has them all. */
const mostListed = 100;

/** The report about one table for a terminal. */
export function paintCoverage(coverage: TableCoverage, options: TextStyle): string {
  const { total, groups, findings } = coverage;
  const lists = [...Map.groupBy(findings, ({ gap }) => gap)].map(([gap, found]) =>
    findingList(gap, found, coverage, options),
  );
  const rows = groups.length === 0 ? [] : [...groups, total];
  return [
    `${options.color.bold(printable(coverage.table))} from ${printable(coverage.origin)}: ${summaryWords(coverage)}\n`,
    ...(rows.length === 0 ? [] : [paintTable(rows, groupColumns(coverage), options)]),
    ...lists,
  ].join('\n');
}

/** `4 of 6 assets have a host; the fleet has 5 hosts`. */
export function summaryWords({ total, hosts }: TableCoverage): string {
  return `${grouped(total.assetsWithHost)} of ${count(total.assets, 'asset')} ${total.assets === 1 ? 'has' : 'have'} a host; the fleet has ${count(hosts, 'host')}`;
}

const headings: Readonly<Record<CoverageGap, string>> = {
  'asset-without-host': 'without host',
  'asset-without-key': 'without key',
  'duplicate-asset': 'repeated key',
  'host-without-asset': 'hosts without asset',
  'host-without-key': 'hosts without key',
  'host-with-unknown-key': 'hosts with unknown key',
  'duplicate-host': 'hosts with shared key',
};

/** The columns of the groups and of their sum. A kind of finding without any has none. */
export function groupColumns(coverage: TableCoverage): readonly Column<CoverageGroup>[] {
  const { total, by = '' } = coverage;
  const found = coverageGaps.filter((gap) => total.gaps[gap] > 0);
  return [
    {
      key: 'value',
      heading: by.toUpperCase(),
      kind: 'name',
      value: (group) => (group === total ? 'Total' : (group.value ?? '(empty)')),
    },
    { key: 'assets', kind: 'fixed', value: ({ assets }) => assets },
    { key: 'with-host', kind: 'fixed', value: ({ assetsWithHost }) => assetsWithHost },
    ...found.map(
      (gap): Column<CoverageGroup> => ({
        key: gap,
        heading: headings[gap].toUpperCase(),
        kind: 'fixed',
        value: ({ gaps }) => gaps[gap],
      }),
    ),
  ];
}

export function gapTitle(gap: CoverageGap, findings: number): string {
  return count(findings, ...gapWords[gap]);
}

function findingList(
  gap: CoverageGap,
  findings: readonly CoverageFinding[],
  { by }: TableCoverage,
  options: TextStyle,
): string {
  const columns: readonly Column<CoverageFinding>[] = [
    { key: 'key', kind: 'name', value: ({ key }) => key ?? null },
    { key: by ?? 'value', kind: 'name', value: ({ value }) => value ?? null },
    { key: 'where', kind: 'name', value: subjectWords },
  ];
  const shown = by === undefined ? columns.filter(({ key }) => key !== 'value') : columns;
  const more = findings.length - mostListed;
  return [
    `${options.color.bold(gapTitle(gap, findings.length))}\n`,
    paintTable(findings.slice(0, mostListed), shown, options),
    ...(more > 0 ? [`and ${grouped(more)} more: --format csv lists all\n`] : []),
  ].join('');
}
