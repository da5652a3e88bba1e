/**
 * Typical queries to the server about 1,000,000 hosts in 5,000 accounts, in PostgreSQL: the 95th percentile of each in
 * milliseconds, compared with a statement that reads nothing on the same connections.
 */
import { sql } from 'kysely';
import { openPostgresDatabase } from '../src/server/database/postgres-database.ts';
import { openStore } from '../src/server/store/open-store.ts';
import { startPostgres } from '../test/given/postgres.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';
import { accountName, fillStore } from './server-store/fill-store.ts';

const accounts = isQuick ? 500 : 5_000;
const hosts = 200;
const rounds = isQuick ? 20 : 100;

const report = openReport(
  'Server store',
  `${(accounts * hosts).toLocaleString('en')} hosts in ${accounts.toLocaleString('en')} accounts in PostgreSQL, compared with "select 1"`,
);
const server = await startPostgres();
const database = openPostgresDatabase(server.createDatabase());
const store = openStore(database);
await store.migrate();
await fillStore(database.db, accounts, hosts);
await store.vacuum();

const texts = [
  'kiosk',
  'LAP-00',
  'srv-012',
  'POS-0001',
  '0012345',
  'zzzz',
  'ws',
  'ab-lap',
  '-pos-',
  'pc-0',
  '-0',
  'k-',
  'zz',
  'group-3',
  'q-',
  'sn1000',
  '--',
];
const few = Array.from({ length: accounts / 10 }, (_, index) => accountName(index * 10 + 1));
const day = { from: new Date(Date.now() - 86_400_000), buckets: 24, bucketSeconds: 3_600 };
/** `start` is a host in the middle of the list. */
const start = Buffer.from(JSON.stringify(['8', '', ''])).toString('base64url');

interface Question {
  readonly name: string;
  readonly goalMs?: number;
  readonly ask: (round: number) => Promise<unknown>;
}
const textOf = (round: number) => texts[round % texts.length] ?? '';
const questions: readonly Question[] = [
  { name: 'search', goalMs: 50, ask: (round) => store.hosts.list({ visible: 'all', text: textOf(round) }) },
  {
    name: 'search, a tenth of the accounts visible',
    goalMs: 50,
    ask: (round) => store.hosts.list({ visible: few, text: textOf(round) }),
  },
  { name: 'page of 100 hosts', goalMs: 10, ask: () => store.hosts.list({ visible: 'all', cursor: start }) },
  {
    name: 'page of drifted hosts',
    goalMs: 10,
    ask: () => store.hosts.list({ visible: 'all', drifted: true }),
  },
  { name: 'overview', goalMs: 100, ask: () => store.overview('all') },
  { name: 'causes', ask: () => store.causes.list({ visible: 'all' }) },
  { name: 'page of accounts', ask: () => store.accounts.list({ visible: 'all' }) },
  { name: 'facets of a search', ask: (round) => store.hosts.facets({ visible: 'all', text: textOf(round) }) },
  { name: 'history of a day', ask: () => store.history.read({ visible: 'all', ...day }) },
];

const times = new Map(
  ['select 1', ...questions.map(({ name }) => name)].map((name): [string, number[]] => [name, []]),
);
const measure = async (name: string, ask: () => Promise<unknown>) => {
  const before = performance.now();
  await ask();
  times.get(name)?.push(performance.now() - before);
};
for (let round = 0; round < rounds; round += 1) {
  await measure('select 1', () => sql`select 1`.execute(database.db));
  for (const { name, ask } of questions) await measure(name, () => ask(round));
}

const percentile = (name: string, share: number) => {
  const sorted = times.get(name)?.toSorted((a, b) => a - b) ?? [];
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
const row = report.table(['question', 'p50', 'p95', 'goal', 'p50 ÷ select 1']);
const bare = percentile('select 1', 0.5);
for (const { name, goalMs } of questions)
  row([
    name,
    `${percentile(name, 0.5).toFixed(1)} ms`,
    `${percentile(name, 0.95).toFixed(1)} ms`,
    goalMs === undefined ? '' : `${goalMs} ms`,
    (percentile(name, 0.5) / bare).toFixed(1),
  ]);
await database.close();
server.stop();
