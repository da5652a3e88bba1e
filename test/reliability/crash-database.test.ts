import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GivenPglite, startPglite } from '../given/pglite.ts';
import { afterwards, callsOf, restarts, runUntilSettled, savedPlan } from './crash-cases.ts';
import { databaseShelf } from './database-shelf.ts';
import { deathMoments } from './mortal-process.ts';
import { everything, smallFleets } from './small-fleets.ts';
import { createWorld } from './world.ts';

const isSoak = process.env['RAMPART_SOAK'] === '1';
/** How the next run begins, and the content of the database by then: a lost journal is one of an empty database. */
const allWays = restarts.flatMap((restart) =>
  (['kept', 'lost'] as const).map((journal) => ({ restart, journal })),
);
/** The journals in memory try all of them. */
const ways = isSoak ? allWays : allWays.filter((_, index) => index === 0 || index === 3);
const fleets = isSoak ? smallFleets : [everything];

describe('a crash with the state in PostgreSQL', { timeout: isSoak ? 1_200_000 : 120_000 }, () => {
  let pglite: GivenPglite;
  beforeAll(async () => {
    pglite = await startPglite();
  }, 60_000);
  afterAll(() => pglite.stop());
  beforeEach(() => pglite.clear());

  it.each(
    fleets.flatMap((fleet) =>
      ways.flatMap((way) =>
        deathMoments.map((moment) => ({
          ...way,
          fleet,
          moment,
          title: `${moment}, ${fleet.title}, ${way.restart}, journal ${way.journal}`,
        })),
      ),
    ),
  )('$title: the next run repairs it', async ({ fleet, moment, restart, journal }) => {
    const plan = restart === 'plans anew' ? {} : { saved: await savedPlan(fleet) };
    const { length } = await callsOf(fleet, plan.saved);
    const findings: string[] = [];
    for (let call = 0; call < length; call += isSoak ? 1 : 3) {
      await pglite.clear();
      const world = createWorld(fleet, { database: databaseShelf(pglite.database) });
      const first = await world.run({ death: { call, moment }, ...plan });
      // With the response to the last call received, the run ends normally.
      expect(first.kind === 'dead' || call === length - 1).toBe(true);
      await world.drain();
      if (journal === 'lost') await pglite.clear();
      const last = await runUntilSettled(world, plan);
      const exit = last.kind === 'ended' ? last.exit : null;
      const found = [
        ...(exit === 0 ? [] : [`exited with ${exit}`]),
        ...(await afterwards(world, { installs: journal === 'kept' ? 1 : 2 })),
      ];
      findings.push(...found.map((each) => `death at ${call}: ${each}`));
    }
    expect(findings).toEqual([]);
  });
});
