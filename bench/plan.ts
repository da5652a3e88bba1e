/**
 * The cost of a plan for 1,000 to 100,000 hosts (`--million`: 1,000,000 too): half of the ids beyond 2^53, a tenth of
 * the hosts renamed in one random permutation, another tenth moved. First stage by stage in this process, as ratios to
 * `JSON.parse` of the same list; then `rampart plan` as a whole process compared with one that only fetches and parses
 * the list. A server in a third process sends the list to both, so that neither pays for creating it.
 */
import { isQuick } from './measure/quick.ts';
import { type Form } from './plan/fleet.ts';
import { stages, timeStages } from './plan/stages.ts';
import { timeWhole } from './plan/whole.ts';
import { openReport } from './report/report.ts';

const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
if (process.argv.includes('--million')) sizes.push(1_000_000);
const report = openReport(
  'Planning',
  'Ratios to `JSON.parse` of the host list. Whole processes are compared with one that only parses the list',
);

const stageRow = report.table(['stages', ...stages]);
for (const form of ['rule', 'csv', 'yaml'] as const) {
  for (const hosts of sizes.filter((size) => form !== 'yaml' || size < 1_000_000)) {
    const times = timeStages(form, hosts, Math.max(3, Math.min(41, Math.round(300_000 / hosts))));
    const base = times.get('JSON.parse') ?? 0;
    const ratios = [...times.values()].slice(1).map((ms) => (ms / base).toFixed(2));
    stageRow([`${hosts} hosts, ${form}`, `${base.toFixed(1)} ms`, ...ratios]);
  }
}

const wholeRow = report.table([
  'whole process',
  'parse only',
  'rampart plan',
  'ratio',
  'list',
  'peak',
  'peak ÷ list',
]);
const wholeForms: readonly Form[] = ['rule', 'csv', 'yaml', 'literal', 'typescript', 'host()'];
for (const form of wholeForms) {
  const most = form === 'rule' || form === 'csv' ? 1_000_000 : 100_000;
  for (const hosts of sizes.filter((size) => size <= most)) {
    const { parseMs, planMs, listMb, planPeakMb } = await timeWhole(form, hosts, hosts < 1_000_000 ? 5 : 3);
    wholeRow([
      `${hosts} hosts, ${form}`,
      `${parseMs.toFixed(0)} ms`,
      `${planMs.toFixed(0)} ms`,
      (planMs / parseMs).toFixed(1),
      `${listMb.toFixed(1)} MB`,
      `${planPeakMb.toFixed(0)} MB`,
      (planPeakMb / listMb).toFixed(1),
    ]);
  }
}
report.note('`rampart plan --summary` prints the counts, the deletions and the errors, and no other host.');
