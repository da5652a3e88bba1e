import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProcess } from '../../../src/run/state/lease/this-process.ts';
import { openState } from '../../../src/run/state/open-state.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';

/** Takes the lease again and again, and fails when somebody else is inside meanwhile or epochs do not grow. */
const [stateDir = '', rounds = '1', url = ''] = process.argv.slice(2);
const inside = join(stateDir, 'inside');
const impatient = { now: systemClock.now, sleep: () => systemClock.sleep(1) };
const opened = await openState({ stateDir, url });
if (!opened.ok) throw new Error(opened.problems[0]?.message);
const state = opened.value;
let epoch = 0;

// Both begin at one moment: when the parent has heard of each.
process.stdout.write('ready');
for await (const _ of process.stdin);

for (let round = 0; round < Number(rounds); round += 1) {
  const lease = await state.acquire(
    { companyId: '42', service: 'https://service.example' },
    { clock: impatient, timeoutMs: 120_000, holder: describeProcess(new Date().toISOString()) },
  );
  if (!lease.ok) throw new Error(lease.problems[0]?.message);
  if (lease.value.epoch <= epoch) throw new Error('an epoch does not grow');
  epoch = lease.value.epoch;
  await (await open(inside, 'wx')).close();
  await new Promise((resolve) => setImmediate(resolve));
  await rm(inside);
  await lease.value.release();
}
await state.close();
