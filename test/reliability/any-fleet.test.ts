import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printPlan, readPlan } from '../../src/core/plan/document/plan-document.ts';
import type { Edit } from '../../src/service/emulator/edit.ts';
import { changesFleet } from '../../src/service/emulator/emulated-action.ts';
import type { FaultEffect } from '../../src/service/emulator/fault.ts';
import { type Reorganization, reorganizations } from '../given/arbitrary-fleet.ts';
import { afterwards, runUntilSettled } from './crash-cases.ts';
import { allBreaches, differences } from './laws.ts';
import { deathMoments } from './mortal-process.ts';
import type { SmallFleet } from './small-fleets.ts';
import { createWorld, type WorldOptions } from './world.ts';

const isSoak = process.env['RAMPART_SOAK'] === '1';
const runs = { numRuns: isSoak ? 4000 : 40 };

/** Some of the hosts also get the anti-virus, which takes an hour. */
const fleets: fc.Arbitrary<SmallFleet> = fc
  .record({
    reorganization: reorganizations,
    installs: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    batchSize: fc.constantFrom(1, 2, 1000),
    case: fc.constantFrom('succeeds', 'conflicts'),
  })
  .map(({ reorganization, installs, batchSize, case: caseOnlyRename }) => ({
    ...withInstalls(reorganization, installs),
    title: 'any fleet',
    batchSize,
    switches: { installTakesMs: 3_600_000, caseOnlyRename },
  }));

function withInstalls({ hosts, entries }: Reorganization, installs: readonly boolean[]): Reorganization {
  return {
    hosts: hosts.map((host) => ({ ...host, antivirus: 'missing' })),
    entries: entries.map((entry, index) =>
      entry.ensure === 'absent' || installs[index] !== true ? entry : { ...entry, antivirus: true },
    ),
  };
}

const deaths = fc.record({ call: fc.nat(20), moment: fc.constantFrom(...deathMoments) });

async function expectThrough(world: ReturnType<typeof createWorld>, installs = 1): Promise<void> {
  const ended = await runUntilSettled(world);
  expect(ended).toMatchObject({ kind: 'ended', exit: 0 });
  expect(await afterwards(world, { installs })).toEqual([]);
}

describe('any reorganization of any fleet, through the whole stack', {
  timeout: isSoak ? 1_200_000 : 120_000,
}, () => {
  it('succeeds in one run, with exactly the planned calls, and planning again finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async (fleet) => {
        const world = createWorld(fleet);
        await expectThrough(world);
        const steps = world.plans[0]?.steps ?? [];
        const refused = world.emulator.requests.filter(({ status }) => status === 409).length;
        if (fleet.switches?.caseOnlyRename === 'succeeds') {
          expect(refused).toBe(0);
          expect(world.writes).toHaveLength(steps.length);
        } else {
          // A refused change of letter case is requested again after a temporary rename, and later ones begin with it.
          const caseOnly = steps.filter(({ hazards }) => hazards.includes('case-only')).length;
          expect(world.writes).toHaveLength(steps.length + caseOnly + refused);
          expect(Math.sign(refused)).toBe(Math.sign(caseOnly));
        }
      }),
      runs,
    );
  });

  it('changes the case of many names with few refusals and reads if each needs a temporary name', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const world = createWorld({
      title: 'many names',
      hosts: ids.map((id) => ({ id, name: `host-${id}` })),
      entries: ids.map((id) => ({ id, name: `HOST-${id}` })),
      switches: { caseOnlyRename: 'conflicts' },
    });
    await expectThrough(world);
    const { requests } = world.emulator;
    expect(requests.filter(({ status }) => status === 409).length).toBeLessThan(500);
    expect(requests.filter(({ method }) => method === 'GET').length).toBeLessThan(20);
  });

  it('survives any number of crashes, even with calls in flight when the next run begins', async () => {
    await fc.assert(
      fc.asyncProperty(
        fleets,
        fc.array(fc.record({ death: deaths, waits: fc.boolean() }), { maxLength: 3 }),
        async (fleet, fates) => {
          const world = createWorld(fleet);
          for (const { death, waits } of fates) {
            await world.run({ death });
            if (waits) await world.drain();
          }
          await expectThrough(world);
        },
      ),
      runs,
    );
  });

  it('survives crashes without a journal, with at most one more install for each crash', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, fc.array(deaths, { minLength: 1, maxLength: 2 }), async (fleet, fates) => {
        const world = createWorld(fleet);
        for (const death of fates) {
          await world.run({ death });
          await world.drain();
          world.shelf.lose();
        }
        await expectThrough(world, 1 + fates.length);
      }),
      runs,
    );
  });

  it('succeeds, or reports what is left, under any mixture of faults; the next run succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fleets,
        fc.array(faultEffects, { minLength: 40, maxLength: 40 }),
        async (fleet, effects) => {
          const world = createWorld(fleet, {
            faults: effects.flatMap((effect, index) =>
              effect === null ? [] : [{ from: index, before: index + 1, effect }],
            ),
          });
          const first = await world.run();
          expect(first.kind).toBe('ended');
          if (first.kind === 'ended' && first.exit !== 0) expect(first.problems).not.toEqual([]);
          world.setFaults([]);
          await expectThrough(world);
        },
      ),
      runs,
    );
  });

  it('never overwrites what a read before the call showed, whatever others change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fleets,
        fc.array(edits, { minLength: 1, maxLength: 4 }),
        fc.nat(16),
        fc.nat(4),
        async (fleet, changes, before, lost) => {
          const world = createWorld(fleet, {
            faults: [{ action: 'writes', nth: lost, effect: { kind: 'drop', when: 'after' } }],
          });
          await world.run({ human: { before, edits: changes } });
          world.setFaults([]);
          const next = await runUntilSettled(world);
          expect(allBreaches(world)).toEqual([]);
          if (next.kind === 'ended' && next.exit !== 0) {
            expect(next.problems).not.toEqual([]);
            expect(differences(world, { converged: false })).toEqual([]);
          } else {
            expect(await afterwards(world, { installs: 1 })).toEqual([]);
          }
        },
      ),
      runs,
    );
  });

  it('has the same result with a saved plan', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, deaths, async (fleet, death) => {
        const world = createWorld(fleet);
        await world.run({ death: { call: 2, moment: 'before the call' } });
        const plan = world.plans[0];
        if (plan === undefined || plan.steps.length === 0) return;
        const saved = readPlan(printPlan(plan), 'plan.json');
        if (!saved.ok) throw new Error('a plan did not survive its document');
        const fresh = createWorld(fleet);
        await fresh.run({ saved: saved.value, death });
        await fresh.drain();
        expect(await runUntilSettled(fresh, { saved: saved.value })).toMatchObject({
          kind: 'ended',
          exit: 0,
        });
        expect(await afterwards(fresh, { installs: 1 })).toEqual([]);
      }),
      runs,
    );
  });
});

const faultEffects: fc.Arbitrary<FaultEffect | null> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<FaultEffect>(
      { kind: 'drop', when: 'before' },
      { kind: 'drop', when: 'after' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 503, when: 'after', text: '<html>unavailable</html>' },
      { kind: 'rate-limit', retryDelay: 3 },
      { kind: 'slow-reply', ms: 45_000 },
      { kind: 'refuse-connection' },
      { kind: 'truncated-body', share: 0.5 },
    ),
  },
);

const names = fc.constantFrom('by hand', 'HOST-1', 'host-1', 'host-2', 'host-3', 'fresh-1');
const ids = fc.nat(15).map((index) => String(index + 1));
const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('rename' as const), id: ids, name: names }),
  fc.record({ kind: fc.constant('move' as const), id: ids, groupId: fc.constantFrom('10', '11', '-1') }),
  fc.record({ kind: fc.constant('delete' as const), id: ids }),
  fc.record({
    kind: fc.constant('enroll' as const),
    host: fc.record({ id: fc.constant('1000'), name: names }),
  }),
);

describe('the pace of calls', { timeout: 120_000 }, () => {
  const limited: WorldOptions = {
    limits: {
      renameHost: { kind: 'token-bucket', perSecond: 20, burst: 10 },
      moveHosts: { kind: 'sliding-window', windowMs: 1000, calls: 10 },
      deleteHosts: { kind: 'sliding-window', windowMs: 1000, calls: 10 },
    },
  };

  it('stays within the limit of the service: few calls are refused, and all succeed', async () => {
    const hosts = Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, name: `h-${index}` }));
    const world = createWorld(
      {
        title: 'four hundred',
        hosts,
        entries: hosts.map(({ id }, index) =>
          index % 40 === 0
            ? { id, ensure: 'absent' as const }
            : {
                id,
                name: index % 2 === 0 ? `n-${index}` : `h-${index % 40 === 39 ? index - 38 : index + 2}`,
              },
        ),
      },
      limited,
    );
    expect(await world.run()).toMatchObject({ kind: 'ended', exit: 0 });
    const writes = world.emulator.requests.filter(({ action }) => action !== null && changesFleet(action));
    const refused = writes.filter(({ status }) => status === 429).length;
    expect(writes.length).toBeGreaterThan(390);
    expect(refused / writes.length).toBeLessThan(0.05);
    expect(await afterwards(world, { installs: 0 })).toEqual([]);
  });
});
