/**
 * What a table costs a plan, from the bytes of the list and of the table to the plan: the same hosts get the same names
 * from their inventory, and from the rows of a table that is joined by their serial numbers. 10,000 and 100,000 rows, and
 * with `--million` 1,000,000.
 */
import { type Facts, noFacts } from '../src/core/model/facts.ts';
import { makePlan } from '../src/core/plan/make-plan.ts';
import { inTurns } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { listOf } from './plan/fleet.ts';
import { readFiles, readList } from './plan/stages.ts';
import { openReport } from './report/report.ts';

const serial = 'host.inventory.hardware.serviceTag';
const at = '2026-11-21T09:00:00Z';
const sizes = isQuick ? [10_000] : [10_000, 100_000];
if (process.argv.includes('--million')) sizes.push(1_000_000);

const report = openReport('Joining a table', 'as ratios to the plan without it');
const row = report.table(['hosts and rows', 'without', 'with', 'ratio', 'goal']);
for (const count of sizes) {
  const list = listOf(count);
  const { facts, table } = registerOf(count);
  const without = { 'fleet.yaml': rulesOf(`${serial} != ""`, serial) };
  const joined = {
    'fleet.yaml': `${rulesOf('asset.Status == "in use"', 'asset.Name')}tables: [{ name: asset, file: a.csv, key: Serial, join: ${serial} }]\n`,
    'a.csv': table,
  };
  const [plain = 0, withTable = 0] = inTurns(count > 100_000 ? 3 : 7, [
    () => planOf(list, without, facts),
    () => planOf(list, joined, facts),
  ]);
  const times = [plain, withTable].map((ms) => `${ms.toFixed(0)} ms`);
  row([count.toLocaleString('en'), ...times, (withTable / plain).toFixed(2), '1.3']);
}

function rulesOf(when: string, name: string): string {
  return `version: 1\nrules: [{ name: names, when: '${when}', rename: '\${${name}}' }]\n`;
}

function planOf(list: Uint8Array, files: Readonly<Record<string, string>>, facts: Facts): void {
  const account = { companyId: '1', service: 'bench' };
  const plan = makePlan({ desired: readFiles(files), observed: readList(list), facts, account, now: at });
  if (!plan.applicable || plan.steps.length === 0) throw new Error('that is no plan to measure');
}

/** A tenth of the hosts has another name in the register. */
function registerOf(count: number): { readonly facts: Facts; readonly table: string } {
  const observed = readList(listOf(count));
  const records: [string, { readonly serviceTag: string }][] = [];
  const lines = Array.from({ length: count }, (_, index) => {
    const name = index % 10 === 0 ? `NEW-${index}` : (observed.nameAt(index) ?? '');
    records.push([observed.idAt(index), { serviceTag: name }]);
    return `${name},${name},Site ${index % 40},in use\n`;
  });
  // Both as they come from files: texts of their own, and not parts of the list.
  const inventory = new Map(JSON.parse(JSON.stringify(records)) as typeof records);
  const table = Buffer.from(`Serial,Name,Site,Status\n${lines.join('')}`).toString();
  return { facts: { ...noFacts, inventoryOf: (_, id) => inventory.get(id), inventoryAt: () => at }, table };
}
