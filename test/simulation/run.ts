import { parseArgs } from 'node:util';
import { makeScript } from './script/make-script.ts';
import type { Script } from './script/script.ts';
import { shrink } from './script/shrink.ts';
import { steadyScript } from './script/steady-script.ts';
import { simulate } from './simulate.ts';

/*
 * Simulates whole clusters, one for each seed, until someone stops it:
 *
 *     npm run simulate                              from seed 0
 *     npm run simulate -- --seed 4711               from this seed
 *     npm run simulate -- --seed 4711 --seeds 1     only this seed
 *     npm run simulate -- --days 30                 20 accounts without faults for 30 days
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '0' },
    seeds: { type: 'string' },
    days: { type: 'string' },
  },
});
const dayMs = 86_400_000;
const reportEvery = 100;
const sums = { seeds: 0, breaches: 0, ms: 0, accountDays: 0, checks: 0, runs: 0, writes: 0 };
const began = process.cpuUsage();

async function play(script: Script): Promise<void> {
  const outcome = await simulate(script);
  sums.seeds += 1;
  sums.ms += outcome.ms;
  sums.accountDays += (outcome.ms / dayMs) * script.accounts.length;
  sums.checks += outcome.checks;
  sums.runs += outcome.runs;
  sums.writes += outcome.writes;
  const { breach } = outcome;
  if (breach === undefined) return;
  sums.breaches += 1;
  console.log(`seed ${script.seed} breaks the law "${breach.law}": ${breach.message}`);
  const { script: shortest, breach: last } = await shrink(script, breach);
  console.log(`  ${shortest.acts.length} of ${script.acts.length} acts are enough: ${last.message}`);
  for (const { at, act } of shortest.acts) console.log(`  ${inSeconds(at)} ${JSON.stringify(act)}`);
  console.log(
    `  broken at ${inSeconds(last.at)}; replay it: npm run simulate -- --seed ${script.seed} --seeds 1`,
  );
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function report(): void {
  const { user, system } = process.cpuUsage(began);
  const cpu = (user + system) / 1e6;
  const { seeds, breaches, ms, accountDays, checks, runs, writes } = sums;
  console.log(
    `${seeds} seeds, ${breaches} breaches, ${(ms / dayMs).toFixed(1)} days (${accountDays.toFixed(1)} of an account), ` +
      `${checks} checks, ${runs} runs, ${writes} writes, ${cpu.toFixed(1)} s of CPU`,
  );
}

let isStopped = false;
process.once('SIGINT', () => {
  isStopped = true;
});
const first = Number(values.seed);
if (values.days === undefined) {
  const end = values.seeds === undefined ? Number.POSITIVE_INFINITY : first + Number(values.seeds);
  for (let seed = first; seed < end && !isStopped; seed += 1) {
    await play(makeScript(seed));
    if (sums.seeds % reportEvery === 0) report();
  }
} else await play(steadyScript(Number(values.days)));
report();
process.exitCode = sums.breaches > 0 ? 1 : 0;
