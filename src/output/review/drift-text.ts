import { displayWidth } from '../../core/lib/display-width.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type DriftDifference, type DriftReport, isCompared } from '../../core/plan/drift/drift.ts';
import type { DriftKind } from '../../core/plan/drift/drift-kind.ts';
import { formatPlace } from '../../core/problem/problem.ts';
import { type Color, plainColor, type TextStyle } from './color.ts';
import { shownName } from './step-title.ts';
import { type Cell, type ColumnKind, layOut } from './table.ts';

const titles: Readonly<Record<DriftKind, string>> = {
  drift: 'Drift: the fleet changed, not the file',
  both: 'Changed on both sides',
  undecided: 'Different, origin unknown',
  pending: 'Pending: the fleet is as the last run left it, but the file differs',
  'in-doubt': 'In doubt: an install may have been requested, and no read shows it yet',
  'in-progress': 'In progress: the service accepted an install, and no read shows it yet',
};

/** The report for a terminal: drift first, accepted differences last. */
export function paintDrift(report: DriftReport, options: TextStyle): string {
  const fresh = report.differences.filter(({ known }) => known === undefined);
  const known = report.differences.filter((each) => each.known !== undefined);
  const sections = (['drift', 'both', 'undecided', 'in-doubt', 'pending', 'in-progress'] as const).map(
    (kind) => ({
      title: titles[kind],
      rows: fresh.filter((each) => each.kind === kind),
    }),
  );
  const all = [
    ...sections,
    { title: 'Known drift', rows: known },
    { title: 'Unmanaged hosts', rows: report.unmanaged },
  ].filter(({ rows }) => rows.length > 0);
  const blocks = [
    [baselineLine(report)],
    ...all.map(({ title, rows }) => [
      options.color.bold(`${title} (${count(new Set(rows.map(({ hostId }) => hostId)).size, 'host')})`),
      ...table(rows, options),
    ]),
    [all.length > 0 ? sums(fresh, options) : isCompared(report) ? noDrift : notCompared],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const noDrift = 'No drift: the fleet matches the file.';
const notCompared = 'The list may be incomplete, so it is unknown whether the fleet matches the file.';

function baselineLine({ baseline, takenAt }: DriftReport): string {
  return baseline === undefined
    ? `The fleet at ${takenAt}. No run is recorded here, so the origin of each difference is unknown: see --since.`
    : `The fleet at ${takenAt}, compared with ${printable(baseline.source)} at ${baseline.at}.`;
}

/** If the terminal is too narrow for one line, the values of a difference are on a line of their own. */
function table(rows: readonly DriftDifference[], { color, columns }: TextStyle): readonly string[] {
  const cells = rows.map((row) => cellsOf(row, color));
  const layout = { indent: 2, width: columns };
  if (columns === null || fitsOneLine(rows, columns)) {
    const whole = cells.map(({ host, values, origin }) => [...host, ...values, origin]);
    return layOut(whole, { ...layout, columns: [...hostColumns, ...valueColumns, 'extra'] });
  }
  const hosts = cells.map(({ host, origin }) => [...host, origin]);
  const values = layOut(
    cells.map((each) => each.values),
    { ...layout, indent: 6, columns: valueColumns },
  );
  return layOut(hosts, { ...layout, columns: [...hostColumns, 'extra'] }).flatMap((line, index) => [
    line,
    values[index] as string,
  ]);
}

function fitsOneLine(rows: readonly DriftDifference[], columns: number): boolean {
  const cells = rows.map((row) => cellsOf(row, plainColor)).map(({ host, values }) => [...host, ...values]);
  const lines = layOut(cells, { columns: [...hostColumns, ...valueColumns], indent: 2, width: null });
  return lines.every((line) => displayWidth(line) <= columns);
}

const hostColumns: readonly ColumnKind[] = ['name', 'fixed', 'fixed'];
const valueColumns: readonly ColumnKind[] = ['name', 'fixed', 'name', 'name'];

interface DifferenceCells {
  /** The cells of `hostColumns`. */
  readonly host: readonly Cell[];
  /** The cells of `valueColumns`. */
  readonly values: readonly Cell[];
  readonly origin: Cell;
}

function cellsOf(difference: DriftDifference, color: Color): DifferenceCells {
  const { name, hostId, attribute, before, observed, intended, known, place } = difference;
  const isChange = before !== undefined && before !== observed;
  const origin = known ?? (place === undefined ? '' : formatPlace(place));
  return {
    host: [{ text: shownName(name) }, { text: hostId, paint: color.dim }, { text: attribute }],
    values: [
      { text: isChange ? shown(before) : '' },
      { text: isChange ? '→' : '' },
      { text: shown(observed) },
      { text: intended === '' && place === undefined ? '' : `file: ${shown(intended)}` },
    ],
    origin: { text: printable(origin), paint: color.dim },
  };
}

function shown(value: string): string {
  return value === '' ? '(none)' : printable(value);
}

function sums(fresh: readonly DriftDifference[], { color }: TextStyle): string {
  const of = (kind: DriftKind) => fresh.filter((each) => each.kind === kind).length;
  const drifted = of('drift') + of('both');
  const words = [
    `${drifted} drifted`,
    `${of('pending')} pending`,
    ...(of('undecided') > 0 ? [`${of('undecided')} undecided`] : []),
    ...(of('in-doubt') > 0 ? [`${of('in-doubt')} in doubt`] : []),
    ...(of('in-progress') > 0 ? [`${of('in-progress')} in progress`] : []),
  ];
  return (drifted > 0 || of('in-doubt') > 0 ? color.yellow : color.green)(`${words.join(', ')}.`);
}
