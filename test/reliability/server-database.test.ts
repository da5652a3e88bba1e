import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, startPostgres } from '../given/postgres.ts';
import { serverWorld } from './server-world.ts';

const size = { accounts: 12, hosts: 8 };
const all = size.accounts * size.hosts;

describe.skipIf(!hasPostgres)('a server whose database crashes', () => {
  it('continues its runs when the database is back, and writes nothing twice', {
    timeout: 180_000,
  }, async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const world = await serverWorld(postgres, size);
    const crashed = new Promise<void>((resolve) => {
      world.onRename = (renames) => {
        if (renames !== all / 3) return;
        postgres.halt();
        resolve();
      };
    });
    await world.start(['server', '--no-http']);
    await crashed;
    await postgres.start();
    await expect.poll(() => world.converged(), { timeout: 120_000, interval: 500 }).toBe(size.accounts);
    expect(world.counts()).toEqual({ writes: all, repeated: 0, outside: 0, overlapping: 0 });
  });
});
