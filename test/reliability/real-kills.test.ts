import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/service/emulator/random.ts';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';
import { findBreaches, type RealService, realService, someThirtyCalls } from './real-service.ts';
import { apply, begunIn, migratedDatabase, unrecorded } from './shared-state.ts';

const isSoak = process.env['RAMPART_SOAK'] === '1';
const rounds = isSoak ? 50 : 3;
/** No new round begins after this; a busy machine runs fewer. */
const budgetMs = isSoak ? 600_000 : 25_000;
/** An install that the dead run may have requested is in doubt; everything else is done. */
const allButDoubt = /^(Verified except for|Nothing to send).* in doubt/m;
const server = sharedPostgres;

describe('the real process, killed over a real socket', () => {
  it(`converges in the next run, ${rounds} rounds`, { timeout: budgetMs + 60_000 }, async () => {
    const start = Date.now();
    const random = createRandom(20_261_121);
    let kills = 0;
    for (let round = 0; round < rounds && Date.now() - start < budgetMs; round += 1) {
      const service = await realService(someThirtyCalls);
      for (let deaths = 1 + random.below(2); deaths > 0; deaths -= 1) {
        if (await killAfter(service, random.below(32), random.below(20))) kills += 1;
      }
      const { code, out, err } = await service.start(apply).ended;
      const isThrough = code === 0 || (code === 5 && allButDoubt.test(out));
      expect(isThrough ? '' : `${code} ${out}${err}`).toBe('');
      expect(findBreaches(service)).toEqual([]);
    }
    expect(kills).toBeGreaterThan(0);
  });

  it.skipIf(!hasPostgres)('converges with its state in PostgreSQL too', { timeout: 120_000 }, async () => {
    const random = createRandom(20_261_122);
    for (let round = 0; round < (isSoak ? 20 : 1); round += 1) {
      const url = await migratedDatabase(server());
      const env = { RAMPART_STATE_URL: url };
      const service = await realService(someThirtyCalls);
      await killAfter(service, random.below(32), random.below(20), env);
      const { code, out, err } = await service.start(apply, env).ended;
      const isThrough = code === 0 || (code === 5 && allButDoubt.test(out));
      expect(isThrough ? '' : `${code} ${out}${err}`).toBe('');
      expect(findBreaches(service)).toEqual([]);
      expect(unrecorded(service, begunIn(server(), url))).toEqual([]);
    }
  });
});

/** Kills a run this many milliseconds after its n-th call has arrived; false if it had already ended. */
async function killAfter(service: RealService, calls: number, ms: number, env = {}): Promise<boolean> {
  const run = service.start(apply, env);
  let seen = 0;
  service.watch(() => {
    if (seen === calls) setTimeout(() => run.child.kill('SIGKILL'), ms);
    seen += 1;
  });
  const { code } = await run.ended;
  service.watch(() => {});
  await service.quiet();
  return code === null;
}
