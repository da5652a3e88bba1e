import { printable } from '../../core/lib/printable.ts';
import type { CoverageFinding, CoverageGap, TableCoverage } from '../../core/plan/coverage.ts';
import { fileAndLine } from '../../core/problem/problem.ts';
import type { Column } from './columns.ts';
import { shownName } from './step-title.ts';

/** A finding with the table that it is about. */
export interface CoverageRow extends CoverageFinding {
  readonly table: string;
}

export function coverageRows(coverage: TableCoverage): readonly CoverageRow[] {
  return coverage.findings.map((finding) => ({ table: coverage.table, ...finding }));
}

const text = (key: string, value: (row: CoverageRow) => string | null | undefined): Column<CoverageRow> => ({
  key,
  kind: 'name',
  value: (row) => value(row) ?? null,
});

/** The columns of CSV and NDJSON: one row for each finding, in every table. */
export const coverageColumns: readonly Column<CoverageRow>[] = [
  text('table', ({ table }) => table),
  text('gap', ({ gap }) => gap),
  text('key', ({ key }) => key),
  text('value', ({ value }) => value),
  { key: 'host-id', kind: 'fixed', value: ({ host }) => (host === undefined ? null : BigInt(host.id)) },
  text('host-name', ({ host }) => host?.name),
  text('host-group', ({ host }) => host?.group),
  text('file', ({ place }) => place?.file),
  { key: 'line', kind: 'fixed', value: ({ place }) => place?.line ?? null },
];

/** One kind of finding, for one and for several. */
export const gapWords: Readonly<Record<CoverageGap, readonly [string, string]>> = {
  'asset-without-host': ['asset without a host', 'assets without a host'],
  'asset-without-key': ['asset without a usable key', 'assets without a usable key'],
  'duplicate-asset': ['asset that repeats a key', 'assets that repeat a key'],
  'host-without-asset': ['host without an asset', 'hosts without an asset'],
  'host-without-key': ['host without a usable key', 'hosts without a usable key'],
  'host-with-unknown-key': [
    'host with an unknown key: it may have an asset',
    'hosts with an unknown key: they may have an asset',
  ],
  'duplicate-host': ['host that shares its key', 'hosts that share their key'],
};

/** Which row or host a finding is about, as one line without its key. */
export function subjectWords({ host, place }: CoverageFinding): string {
  if (host !== undefined) {
    const group = host.group === null ? '' : ` in ${printable(host.group)}`;
    return `${shownName(host.name)} (${host.id})${group}`;
  }
  return place === undefined ? '' : printable(fileAndLine(place));
}
