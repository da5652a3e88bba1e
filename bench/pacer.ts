import { adaptive } from './pacer/adaptive.ts';
import { aimdOnConcurrency } from './pacer/aimd-concurrency.ts';
import { aimdOnRate } from './pacer/aimd-rate.ts';
import { exponentialBackoff } from './pacer/exponential-backoff.ts';
import { fixedConcurrency } from './pacer/fixed-concurrency.ts';
import { latenciesMs, scenarios } from './pacer/scenarios.ts';
import { type Sender, simulate } from './pacer/simulate.ts';
import { openReport } from './report/report.ts';

const others: Readonly<Record<string, () => Sender>> = {
  '64 at once': () => fixedConcurrency(64),
  '8 at once': () => fixedConcurrency(8),
  'AIMD at once': aimdOnConcurrency,
  'AIMD rate': aimdOnRate,
  'backoff, 8': () => exponentialBackoff(8),
};

const columns = ['ours', ...Object.keys(others)];
const report = openReport(
  'Following an unknown rate limit',
  'Used share of the limit in % / share of 429s in %, in virtual time. An asterisk marks a missed goal',
);
const row = report.table(['limit', 'latency', ...columns, 'missed']);

for (const { name, calls, oneSecond, limiter } of scenarios) {
  for (const latencyMs of latenciesMs) {
    const run = (sender: Sender) => simulate({ calls, latencyMs, limiter: limiter(), sender });
    const ours = run(adaptive());
    const theirs = Object.values(others).map((create) => run(create()));
    const best = Math.max(...theirs.map(({ use, refused }) => use - refused));
    const met = oneSecond ? ours.use >= 95 && ours.refused <= 1 : ours.use - ours.refused >= best - 2;
    const cells = [ours, ...theirs].map(({ use, refused }) => `${use.toFixed(1)} / ${refused.toFixed(1)}`);
    row([name, `${latencyMs / 1000} s`, ...cells, met ? '' : '*']);
  }
}
