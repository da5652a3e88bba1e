/**
 * What a command costs before it does anything: whole processes of the published program, built into a folder of its
 * own, as ratios to `node -e 0`; and the same from the sources of the checkout.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPublished } from './measure/published.ts';
import { isQuick } from './measure/quick.ts';
import { type Command, processesInTurns } from './measure/whole-process.ts';
import { filesOf } from './plan/fleet.ts';
import { startListServer } from './plan/list-server.ts';
import { openReport } from './report/report.ts';

interface Case {
  readonly name: string;
  readonly argv: readonly string[];
  readonly goal?: string;
}

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'rampart-startup-'));
const cwd = join(folder, 'fleet');
mkdirSync(cwd);
const published = await buildPublished(folder);
const hosts = Array.from({ length: 10 }, (_, index) => `  - { id: ${index + 1}, name: HOST-${index} }\n`);
writeFileSync(join(cwd, 'fleet.yaml'), `version: 1\nhosts:\n${hosts.join('')}`);
writeFileSync(join(cwd, 'seed.yaml'), `hosts:\n${hosts.join('')}`);
writeFileSync(join(cwd, 'rule.yaml'), filesOf('rule', 1000)['fleet.yaml'] ?? '');
const service = await startListServer(1000);

const source = join(root, 'src/cli/main.ts');
const cases: readonly Case[] = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'rampart --version', argv: [published, '--version'], goal: '1.6' },
  { name: 'rampart --help', argv: [published, '--help'] },
  { name: 'rampart validate, 10 hosts', argv: [published, 'validate'], goal: '3' },
  { name: 'rampart plan, 10 hosts, embedded', argv: [published, 'plan', '--emulator=seed.yaml'] },
  { name: 'parse the list of 1,000 hosts over HTTP', argv: [join(root, 'bench/plan/parse-list.mjs')] },
  {
    name: 'rampart plan by a rule, the same list',
    argv: [published, 'plan', '-f', 'rule.yaml', '--summary'],
  },
];
const fromSources: readonly Case[] = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'sources: --version', argv: [source, '--version'] },
  { name: 'sources: validate, 10 hosts', argv: [source, 'validate'] },
];

const report = openReport('Start-up', 'whole processes as ratios to `node -e 0`, run in turns');
const row = report.table(['command', 'time', 'ratio', 'goal', 'peak memory']);
await compare(cases, isQuick ? 7 : 15);
await compare(fromSources, 3);
service.stop();
rmSync(folder, { recursive: true });

async function compare(all: readonly Case[], rounds: number): Promise<void> {
  const commands = all.map(({ argv }): Command => ({ file: process.execPath, argv, cwd, env: service.env }));
  // The first run of each fills its compile cache.
  await processesInTurns(1, commands);
  const medians = await processesInTurns(rounds, commands);
  for (const [index, { name, goal = '' }] of all.entries()) {
    const { ms = 0, peakMb = 0 } = medians[index] ?? {};
    const ratio = ms / (medians[0]?.ms ?? Number.NaN);
    row([name, `${ms.toFixed(0)} ms`, ratio.toFixed(2), goal, `${peakMb.toFixed(0)} MB`]);
  }
}
