import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock } from '../../../../src/run/state/files/lock.ts';
import { describeProcess, isProcessAlive } from '../../../../src/run/state/lease/this-process.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';

/**
 * Takes the lock repeatedly, and fails if somebody else is inside meanwhile. With `die` it ends without releasing the
 * last one, like a killed process.
 */
const [stateDir = '', rounds = '1', end = 'release'] = process.argv.slice(2);
const inside = join(stateDir, 'inside');
const impatient = { now: systemClock.now, sleep: () => systemClock.sleep(1) };

// All begin at one moment: when the parent has heard of each.
process.stdout.write('ready');
for await (const _ of process.stdin);

for (let round = 1; round <= Number(rounds); round += 1) {
  const lock = await acquireLock({
    stateDir,
    account: { companyId: '42', service: 'https://service.example' },
    clock: impatient,
    timeoutMs: 60_000,
    holder: describeProcess(new Date().toISOString()),
    isAlive: isProcessAlive,
  });
  if (!lock.ok) throw new Error(lock.problems[0]?.message);
  if (end === 'die' && round === Number(rounds)) process.kill(process.pid, 'SIGKILL');
  await (await open(inside, 'wx')).close();
  await new Promise((resolve) => setImmediate(resolve));
  await rm(inside);
  await lock.value.release();
}
