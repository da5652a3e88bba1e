/**
 * `rampart plan` for many accounts as a whole process, compared with a program that only fetches and parses the same
 * lists with the same parallelism, in turns; and the peak memory with a third of the accounts. The emulator runs in a
 * separate process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPublished } from './measure/published.ts';
import { isQuick } from './measure/quick.ts';
import { processesInTurns } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';

const accounts = isQuick ? 100 : 1000;
const hosts = 1000;
/** The default of --parallel. */
const parallel = 4;
const rounds = 3;

const folder = mkdtempSync(join(tmpdir(), 'rampart-accounts-'));
const config = join(folder, 'rampart.config.yaml');
writeFileSync(
  join(folder, 'fleet.yaml'),
  'version: 1\nrules:\n  - name: all\n    when: host.id % 100 == 0\n    rename: "N-${host.id}"\n',
);
const published = await buildPublished(folder);
const server = spawn(
  process.execPath,
  [
    published,
    'emulator',
    '--accounts',
    String(accounts),
    '--hosts',
    String(hosts),
    '--write-config',
    config,
    '--json',
  ],
  { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const url = /http:\/\/[\d.:]+/.exec(line.toString())?.[0];
if (url === undefined) throw new Error('the emulator did not print its address');

const env = { RAMPART_ALLOWED_ORIGINS: url };
const plan = (selector: string, ...more: readonly string[]) => ({
  file: process.execPath,
  argv: [published, 'plan', '-f', 'fleet.yaml', '--accounts', selector, '--summary', ...more],
  cwd: folder,
  env,
});
const commands = [
  {
    name: 'fetch and parse the lists',
    run: {
      file: process.execPath,
      argv: [join(import.meta.dirname, 'accounts/parse-lists.mjs'), config, String(parallel)],
      cwd: folder,
      env,
    },
  },
  { name: 'rampart plan --accounts true', run: plan('true'), goal: '2.5, 600 MB' },
  { name: 'the same with --out plans/', run: plan('true', '--out', 'plans/') },
  { name: 'rampart plan of a third of the accounts', run: plan('region == "eu"') },
];
const report = openReport(
  'Accounts',
  `${accounts.toLocaleString('en')} accounts of ${hosts.toLocaleString('en')} hosts planned by shared rules, ${parallel} at a time, as whole processes in turns`,
);
await processesInTurns(
  1,
  commands.map(({ run }) => run),
);
const medians = await processesInTurns(
  rounds,
  commands.map(({ run }) => run),
);
const row = report.table(['process', 'time', 'ratio', 'goal', 'peak memory']);
for (const [index, { name, goal = '' }] of commands.entries()) {
  const { ms = 0, peakMb = 0 } = medians[index] ?? {};
  const ratio = (ms / (medians[0]?.ms ?? Number.NaN)).toFixed(2);
  row([name, `${ms.toFixed(0)} ms`, index === 3 ? '' : ratio, goal, `${peakMb.toFixed(0)} MB`]);
}
server.kill();
rmSync(folder, { recursive: true });
