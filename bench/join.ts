/**
 * What a table costs a plan, from the bytes of the list and of the table to the plan: the same hosts get the same names
 * from their inventory, and from the rows of a table that is joined by their serial numbers. 10,000 and 100,000 rows, and
 * with `--million` 1,000,000. Then the same as whole processes: both read the list from a server and the inventory from
 * its cache.
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../src/core/model/account.ts';
import { accountKey } from '../src/core/model/account.ts';
import { type Facts, noFacts } from '../src/core/model/facts.ts';
import type { HostId } from '../src/core/model/observed.ts';
import { makePlan } from '../src/core/plan/make-plan.ts';
import { inventoryCachePath } from '../src/service/inventory/cache-path.ts';
import { withCache } from '../src/service/inventory/with-cache.ts';
import { inTurns } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { listOf } from './plan/fleet.ts';
import { readFiles, readList } from './plan/stages.ts';
import { afterOneRound, inPlanFolder } from './plan/whole.ts';
import { openReport } from './report/report.ts';

const serial = 'host.inventory.hardware.serviceTag';
const at = '2026-11-21T09:00:00Z';
const sizes = isQuick ? [10_000] : [10_000, 100_000];
if (process.argv.includes('--million')) sizes.push(1_000_000);

const table = `tables: [{ name: asset, file: a.csv, key: Serial, join: ${serial} }]`;
const without = rulesOf(`${serial} != ""`, serial);
const joined = `${rulesOf('asset.Status == "in use"', 'asset.Name')}${table}\n`;

const report = openReport('Joining a table', 'as ratios to the plan without it');
const row = report.table(['hosts and rows', 'without', 'with', 'ratio', 'goal']);
for (const count of sizes) {
  const list = listOf(count);
  const { records, csv } = registerOf(count);
  const facts = factsOf(records);
  addRow(
    'in one process',
    count,
    inTurns(count > 100_000 ? 3 : 7, [
      () => planOf(list, { 'fleet.yaml': without }, facts),
      () => planOf(list, { 'fleet.yaml': joined, 'a.csv': csv }, facts),
    ]),
  );
}
for (const count of sizes) {
  const { records, csv } = registerOf(count);
  const files = { 'without.yaml': without, 'with.yaml': joined, 'a.csv': csv };
  const times = await inPlanFolder(count, files, async ({ path, service, plan }) => {
    await cacheInventory(join(path, '.rampart'), { service, companyId: '1' }, records);
    return await afterOneRound(count > 100_000 ? 3 : 5, [plan('without.yaml'), plan('with.yaml')]);
  });
  addRow(
    '`rampart plan`',
    count,
    times.map(({ ms }) => ms),
  );
}

function addRow(what: string, count: number, [plain = 0, withTable = 0]: readonly number[]): void {
  const times = [plain, withTable].map((ms) => `${ms.toFixed(0)} ms`);
  row([`${count.toLocaleString('en')}, ${what}`, ...times, (withTable / plain).toFixed(2), '1.3']);
}

function rulesOf(when: string, name: string): string {
  return `version: 1\nrules: [{ name: names, when: '${when}', rename: '\${${name}}' }]\n`;
}

function planOf(list: Uint8Array, files: Readonly<Record<string, string>>, facts: Facts): void {
  const account = { companyId: '1', service: 'bench' };
  const plan = makePlan({ desired: readFiles(files), observed: readList(list), facts, account, now: at });
  if (!plan.applicable || plan.steps.length === 0) throw new Error('that is no plan to measure');
}

type InventoryRow = readonly [id: HostId, record: { readonly serviceTag: string }];

/** A tenth of the hosts has another name in the register. */
function registerOf(count: number): { readonly records: readonly InventoryRow[]; readonly csv: string } {
  const observed = readList(listOf(count));
  const records: InventoryRow[] = [];
  const lines = Array.from({ length: count }, (_, index) => {
    const name = index % 10 === 0 ? `NEW-${index}` : (observed.nameAt(index) ?? '');
    records.push([observed.idAt(index), { serviceTag: name }]);
    return `${name},${name},Site ${index % 40},in use\n`;
  });
  // As it comes from a file: its own text, and not parts of the list.
  return { records, csv: Buffer.from(`Serial,Name,Site,Status\n${lines.join('')}`).toString() };
}

function factsOf(records: readonly InventoryRow[]): Facts {
  const inventory = new Map(JSON.parse(JSON.stringify(records)) as typeof records);
  return { ...noFacts, inventoryOf: (_, id) => inventory.get(id), inventoryAt: () => at };
}

/** As `rampart hosts inventory pull` leaves it. */
async function cacheInventory(
  folder: string,
  account: Account,
  records: readonly InventoryRow[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const saved = await withCache(inventoryCachePath(folder, accountKey(account)), async (cache) => {
    cache.add({
      names: new Map(),
      records: records.map(([hostId, record]) => ({
        kind: 'hardware',
        hostId,
        at: Date.parse(at),
        fields: ['ServiceTag'],
        isAbsent: false,
        json: JSON.stringify(record),
      })),
      sizes: [],
    });
  });
  if (!saved.ok) throw new Error(saved.problems[0]?.message);
}
