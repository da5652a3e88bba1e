import { describe, expect, it } from 'vitest';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';
import { heldBy, serverWorld, takeover } from './server-world.ts';

const postgres = sharedPostgres;
const size = { accounts: 12, hosts: 8 };
const all = size.accounts * size.hosts;
const clean = { writes: all, repeated: 0, outside: 0, overlapping: 0 };
/** Seconds. A machine that is busy with other tests gets some more; test/reliability/server-soak.ts allows none. */
const longest = 25;
const patience = { timeout: 90_000, interval: 500 };

describe.skipIf(!hasPostgres)('workers of a server with their state in PostgreSQL', () => {
  it('continue the runs of a killed worker once its lock has lapsed', {
    timeout: 180_000,
  }, async () => {
    const world = await serverWorld(postgres(), size);
    const first = await world.start(['server', '--no-http']);
    const killed: { at: number; accounts: readonly string[] } = { at: 0, accounts: [] };
    const dead = new Promise<void>((resolve) => {
      world.onRename = (renames) => {
        if (renames !== all / 3) return;
        first.child.kill('SIGKILL');
        killed.at = Date.now();
        killed.accounts = heldBy(postgres(), world.url, first.child.pid ?? 0);
        resolve();
      };
    });
    await world.start(['server', '--no-http']);
    await dead;
    await expect.poll(() => world.converged(), patience).toBe(size.accounts);
    expect(world.counts()).toEqual(clean);
    if (killed.accounts.length > 0)
      expect(takeover(postgres(), world.url, killed.accounts, killed.at)).toBeLessThanOrEqual(longest);
  });

  it('send nothing after a freeze between the record and the call', {
    timeout: 180_000,
  }, async () => {
    const world = await serverWorld(postgres(), size);
    const frozen = await world.start(['server', '--no-http'], 'stop-after-begin');
    await frozen.says('stopped between begin and call');
    const before = world.counts().writes;
    expect(before).toBeLessThan(all);
    await world.start(['server', '--no-http']);
    await expect.poll(() => world.converged(), patience).toBe(size.accounts);
    expect(world.counts()).toEqual(clean);
    frozen.child.kill('SIGCONT');
    frozen.child.kill('SIGTERM');
    await frozen.ended;
    expect(world.counts()).toEqual(clean);
  });
});
