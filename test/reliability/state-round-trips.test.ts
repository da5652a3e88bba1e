import { describe, expect, it } from 'vitest';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';
import { realService, someThirtyCalls } from './real-service.ts';
import { roundTripProxy } from './round-trip-proxy.ts';
import { apply, migratedDatabase } from './shared-state.ts';

const server = sharedPostgres;

/** Runs the program with the database behind a proxy, and returns what went through it. */
async function counted(commands: readonly (readonly string[])[]) {
  const service = await realService(someThirtyCalls);
  const url = await migratedDatabase(server());
  const counts = [];
  for (const argv of commands) {
    const proxy = await roundTripProxy(server().port);
    const behind = Object.assign(new URL(url), { port: String(proxy.port) }).href;
    const { code, err } = await service.start(argv, { RAMPART_STATE_URL: behind }).ended;
    counts.push({
      command: argv[0],
      code: code === 2 ? 0 : code,
      err: code === 0 || code === 2 ? '' : err,
      connections: proxy.connections,
      roundTrips: proxy.roundTrips,
    });
  }
  return counts;
}

const oneTrip = { code: 0, err: '', connections: 1, roundTrips: 1 };

describe.skipIf(!hasPostgres)('the round trips to a shared state', { timeout: 120_000 }, () => {
  it('are one for a first plan, on one connection, and one for a list of runs', async () => {
    expect(await counted([['plan'], ['runs']])).toEqual([
      { command: 'plan', ...oneTrip },
      { command: 'runs', ...oneTrip },
    ]);
  });

  it('are one for a plan after a run', async () => {
    const [run, plan] = await counted([apply, ['plan']]);
    expect(run).toMatchObject({ code: 0 });
    expect(run?.roundTrips).toBeGreaterThan(1);
    expect(plan).toEqual({ command: 'plan', ...oneTrip });
  });
});
