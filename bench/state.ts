/**
 * The cost of a large state: `rampart plan --summary` as a whole process with an empty state, after one run of
 * 1,000,000 records, after one that crashed, and after 100,000 runs, in turns; then `rampart runs` with 100,000 runs
 * compared with `rampart --version`. Both with the state in a folder and in PostgreSQL.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/given/postgres.ts';
import { buildPublished } from './measure/published.ts';
import { isQuick } from './measure/quick.ts';
import { type Command, processesInTurns } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';
import { startEmulatorServer } from './state/emulator-server.ts';
import { createTables, fillDatabase } from './state/fill-database.ts';
import { fillFolder } from './state/fill-folder.ts';
import type { Filling } from './state/filling.ts';

const records = isQuick ? 100_000 : 1_000_000;
const runs = isQuick ? 10_000 : 100_000;
const rounds = isQuick ? 5 : 11;

const folder = mkdtempSync(join(tmpdir(), 'rampart-state-'));
const cwd = join(folder, 'fleet');
mkdirSync(cwd);
writeFileSync(
  join(cwd, 'fleet.yaml'),
  'version: 1\nrules:\n  - name: all\n    when: host.name.startsWith("BER-WEB-7")\n    rename: "N-${host.name}"\n',
);
const published = await buildPublished(folder);
const service = await startEmulatorServer(1000);
const database = await startPostgres({ durable: true });

interface State {
  readonly name: string;
  readonly filling: Filling;
}
const states: readonly State[] = [
  { name: 'an empty state', filling: { runs: 0, records: 0 } },
  { name: `one run of ${records.toLocaleString('en')} records`, filling: { runs: 1, records } },
  {
    name: `one crashed run of ${records.toLocaleString('en')} records`,
    filling: { runs: 1, records, crashed: true },
  },
  { name: `${runs.toLocaleString('en')} runs`, filling: { runs, records: 4 } },
];

const report = openReport(
  'State',
  'whole processes with a large state, compared with an empty one of the same backend, in turns',
);
const planRow = report.table(['rampart plan --summary', 'time', 'ratio', 'goal', 'peak memory']);
const folders = states.map(({ filling }, index) => {
  const stateDir = join(folder, `state-${index}`);
  fillFolder(stateDir, filling, service.account);
  return { argv: ['--state-dir', stateDir], env: {} };
});
const databases: Place[] = [];
for (const { filling } of states) {
  const url = database.createDatabase();
  await createTables(url);
  fillDatabase((sql) => database.run(url, sql), filling, service.account);
  databases.push({ argv: [], env: { RAMPART_STATE_URL: url } });
}

interface Place {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
const backends = [
  { backend: 'files', places: folders },
  { backend: 'PostgreSQL', places: databases },
];
for (const { backend, places } of backends) {
  const medians = await compare(places.map((place) => command(['plan', '--summary'], place)));
  for (const [index, { name }] of states.entries()) {
    const { ms = 0, peakMb = 0 } = medians[index] ?? {};
    const ratio = ms / (medians[0]?.ms ?? Number.NaN);
    const goal = index === 0 ? '' : '2';
    row(planRow, [`${backend}, ${name}`, ms, ratio.toFixed(2), goal, `${peakMb.toFixed(0)} MB`]);
  }
}

const runsRow = report.table(['rampart runs', 'time', 'beyond --version', 'ratio', 'goal', 'peak memory']);
for (const { backend, places } of backends) {
  const [empty, many] = [places[0], places.at(-1)];
  if (empty === undefined || many === undefined) throw new Error('a state is missing');
  const cases = [
    { name: 'rampart --version', run: command(['--version'], empty) },
    { name: `${backend}, an empty state`, run: command(['runs'], empty) },
    { name: `${backend}, ${runs.toLocaleString('en')} runs`, run: command(['runs'], many), goal: '100 ms' },
  ];
  const medians = await compare(cases.map(({ run }) => run));
  const startUp = medians[0]?.ms ?? Number.NaN;
  for (const [index, { name, goal = '' }] of cases.entries()) {
    const { ms = 0, peakMb = 0 } = medians[index] ?? {};
    const beyond = index === 0 ? '' : `${(ms - startUp).toFixed(0)} ms`;
    row(runsRow, [name, ms, beyond, (ms / startUp).toFixed(2), goal, `${peakMb.toFixed(0)} MB`]);
  }
}
report.note(
  'The runs began every 15 minutes, the last one just now. The goal for `runs` is the time beyond `--version`.',
);
database.stop();
service.stop();
rmSync(folder, { recursive: true });

function command(argv: readonly string[], place: Place): Command {
  return {
    file: process.execPath,
    argv: [published, ...argv, ...(argv[0] === '--version' ? [] : place.argv)],
    cwd,
    env: { ...service.env, ...place.env },
  };
}

/** The first run of each fills its compile cache and the caches of the system. */
async function compare(commands: readonly Command[]) {
  await processesInTurns(1, commands);
  return processesInTurns(rounds, commands);
}

function row(print: (cells: readonly string[]) => void, [name, ms, ...cells]: [string, number, ...string[]]) {
  print([name, `${ms.toFixed(0)} ms`, ...cells]);
}
