import { describe, expect, it } from 'vitest';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';
import { serverWorld } from './server-world.ts';

const size = { accounts: 12, hosts: 3 };
const all = size.accounts * size.hosts;
const clean = { writes: all, repeated: 0, outside: 0, overlapping: 0 };
const applyAll = [
  'apply',
  '--accounts',
  'name != ""',
  '--auto-approve',
  '--parallel',
  '3',
  '--waves',
  '30%,100%',
];

describe.skipIf(!hasPostgres)('a rollout of real processes with their state in PostgreSQL', () => {
  it('continues on another machine after kill -9, and writes nothing twice', {
    timeout: 180_000,
  }, async () => {
    const world = await serverWorld(sharedPostgres(), size);
    const first = await world.start(applyAll);
    world.onRename = (renames) => {
      if (renames === 14) first.child.kill('SIGKILL');
    };
    expect((await first.ended).code).toBeNull();
    const continued = await (await world.start(['rollout', 'continue', '--json'])).ended;
    expect(continued.code, continued.err + continued.out).toBe(0);
    expect(JSON.parse(continued.out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      state: 'completed',
      totals: { done: size.accounts },
    });
    expect(world.counts()).toEqual(clean);
  });

  it('is never run by a frozen machine and its successor at the same time', {
    timeout: 180_000,
  }, async () => {
    const world = await serverWorld(sharedPostgres(), size);
    const first = await world.start(applyAll);
    world.onRename = (renames) => {
      if (renames === 10) first.child.kill('SIGSTOP');
    };
    await expect.poll(() => world.counts().writes, { timeout: 60_000, interval: 500 }).toBeGreaterThan(8);
    const continued = await (await world.start(['rollout', 'continue'])).ended;
    expect(continued.code, continued.err).toBe(0);
    expect(world.counts()).toEqual(clean);
    first.child.kill('SIGCONT');
    expect((await first.ended).code).not.toBe(0);
    expect(world.counts()).toEqual(clean);
  });
});
