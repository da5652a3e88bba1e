/**
 * The cost of reading a desired state from a table, as ratios to `JSON.parse` of the list with the same hosts: id, name
 * and group of each, half of the ids beyond 2^53. The rows alone with the fast reader, from the bytes on; the whole
 * with the checks between entries; and, last and in fewer rounds because it takes most of the memory, the rows with the
 * full reader. Then the same for names beyond ASCII. `--million` also reads 1,000,000 hosts, except with the full
 * reader.
 */
import { readFullTable } from '../src/input/csv/fast-table.ts';
import { readTable } from '../src/input/csv/read-table.ts';
import { readDesired } from '../src/input/read-desired.ts';
import { decodeSource } from '../src/input/sources/decode-source.ts';
import { createProblemList } from '../src/input/values/problem-list.ts';
import { inTurns, median, timeOf } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { filesOf, listOf } from './plan/fleet.ts';
import { openReport } from './report/report.ts';

const million = 1_000_000;
const report = openReport(
  'Reading a desired state from a table',
  'as ratios to `JSON.parse` of the list with the same hosts',
);
const row = report.table(['hosts', 'JSON.parse', 'fast, rows', 'fast, whole', 'goal', 'full, rows']);
const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
if (process.argv.includes('--million')) sizes.push(million);
for (const hosts of sizes) row([hosts.toLocaleString('en'), ...cellsOf(hosts, 0)]);

const byNames = report.table([
  '10,000 hosts',
  'JSON.parse',
  'fast, rows',
  'fast, whole',
  'goal',
  'full, rows',
]);
for (const percent of [5, 100]) byNames([`${percent} % of names beyond ASCII`, ...cellsOf(10_000, percent)]);

function cellsOf(hosts: number, percentBeyondAscii: number): readonly string[] {
  const list = listOf(hosts);
  const files = filesOf('csv', hosts);
  const yaml = files['fleet.yaml'] ?? '';
  const lines = (files['hosts.csv'] ?? '').split('\n');
  const text = lines
    .map((line, index) => (index % 100 < percentBeyondAscii ? line.replace('WEB', 'BÜRO') : line))
    .join('\n');
  const table = { file: 'hosts.csv', text: Buffer.from(text) };
  const rounds = Math.max(5, Math.min(101, Math.round(1_500_000 / hosts)));
  const [base = 0, rows = 0, whole = 0] = inTurns(rounds, [
    () => JSON.parse(new TextDecoder().decode(list)) as unknown,
    () => readTable(table, createProblemList(), 0),
    () => wholeOf(yaml, table),
  ]);
  const ratio = (ms: number) => (ms / base).toFixed(1);
  const full = hosts < million ? ratio(median(Array.from({ length: 3 }, () => fullTime(table)))) : '';
  return [`${base.toFixed(2)} ms`, ratio(rows), ratio(whole), '2', full];
}

interface Table {
  readonly file: string;
  readonly text: Uint8Array;
}

function wholeOf(yaml: string, table: Table): unknown {
  const read = readDesired([{ file: 'fleet.yaml', text: yaml }], {
    openTable: () => ({ ok: true, value: table, problems: [] }),
  });
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

function fullTime(table: Table): number {
  return timeOf(() => {
    const decoded = decodeSource(table, 'csv');
    if (!decoded.ok) throw new Error(decoded.problems[0]?.message);
    return readFullTable(decoded.value, createProblemList(), 0);
  });
}
