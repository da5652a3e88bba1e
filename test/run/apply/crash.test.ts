import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HostId, type Observed, type ObservedHost, observe } from '../../../src/core/model/observed.ts';
import { readTemporaryName } from '../../../src/core/model/temporary-name.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import type { RunSummary } from '../../../src/core/plan/types/run-summary.ts';
import { applyPlan } from '../../../src/run/apply/apply-plan.ts';
import { givenGroups, type Reorganization, reorganizations } from '../../given/arbitrary-fleet.ts';
import { casesOf } from '../../given/cases.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { type FakeCall, type FakeService, type Fate, fakeService } from '../../given/fake-service.ts';
import { at, givenFleet } from '../../given/fleet.ts';
import { memoryJournal } from '../../given/memory-journal.ts';

const account = { companyId: '1', service: 'emulator' };

/** A process that dies: the call is carried out or not, and nothing of the run happens after it. */
class Death extends Error {}

interface World {
  hosts: Observed;
  readonly deletions: Map<HostId, number>;
  readonly installs: Map<HostId, number>;
}

type Instant = { readonly call: number; readonly phase: 'before' | 'after' } | undefined;

function planOn(entries: readonly GivenEntry[], observed: Observed): Plan {
  return makePlan({ desired: givenDesired(entries, noLimits), observed, account, now: at });
}

/** One run of the tool, from reading to verification, which may die at an instant. */
async function runOnce(
  world: World,
  entries: readonly GivenEntry[],
  death: Instant,
  saved?: Plan,
): Promise<RunSummary | 'dead'> {
  const plan = saved ?? planOn(entries, world.hosts);
  let dead = false;
  const fate = (call: FakeCall, index: number): Fate => {
    if (dead) throw new Death();
    if (death !== undefined && index === death.call) {
      dead = true;
      if (death.phase === 'before') throw new Death();
    }
    count(world, call);
    return 'ok';
  };
  const service = fakeService(world.hosts, fate);
  const dying = afterwards(service, () => dead);
  try {
    return await applyPlan({
      plan,
      ...(saved === undefined
        ? { observed: world.hosts, replan: (observed: Observed) => planOn(entries, observed) }
        : {}),
      reader: dying.reader,
      writer: dying.writer,
      journal: memoryJournal(),
      clock: { now: () => 0, sleep: async () => {} },
      stop: new AbortController().signal,
      onEvent: () => {},
    });
  } catch (error) {
    if (error instanceof Death) return 'dead';
    throw error;
  } finally {
    world.hosts = snapshot(world.hosts, service.hosts);
  }
}

/** Death after the commit: the call was carried out, and its response arrives at no process. */
function afterwards(service: FakeService, isDead: () => boolean): Pick<FakeService, 'reader' | 'writer'> {
  const guard =
    <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const result = await call(...args);
      if (isDead()) throw new Death();
      return result;
    };
  const { reader, writer } = service;
  return {
    reader: { read: guard(reader.read), readNames: guard(reader.readNames) },
    writer: {
      rename: guard(writer.rename),
      move: guard(writer.move),
      remove: guard(writer.remove),
      installAntivirus: guard(writer.installAntivirus),
      refreshAntivirus: guard(writer.refreshAntivirus),
    },
  };
}

function count(world: World, call: FakeCall): void {
  if (call.kind === 'delete')
    for (const id of call.hosts) world.deletions.set(id, (world.deletions.get(id) ?? 0) + 1);
  if (call.kind === 'antivirus')
    for (const id of call.hosts) world.installs.set(id, (world.installs.get(id) ?? 0) + 1);
}

function snapshot(before: Observed, hosts: ReadonlyMap<HostId, ObservedHost>): Observed {
  return observe({ takenAt: at, lists: before.lists, groups: before.groups, hosts: [...hosts.values()] });
}

function newWorld({ hosts }: Reorganization): World {
  return { hosts: givenFleet(hosts, givenGroups), deletions: new Map(), installs: new Map() };
}

/** What must be true after a successful run, whatever happened before. */
function expectConverged(world: World, { hosts, entries }: Reorganization): void {
  expect(planOn(entries, world.hosts).steps).toEqual([]);
  const intended = new Map(entries.map((entry) => [String(entry.id), entry]));
  for (const before of hosts) {
    const entry = intended.get(String(before.id));
    const now = world.hosts.byId(String(before.id) as HostId);
    if (entry?.ensure === 'absent') {
      expect(now).toBeUndefined();
      continue;
    }
    expect(now?.name).toBe(entry?.name ?? before.name);
    expect(readTemporaryName(now?.name ?? null)).toBeUndefined();
    if (entry?.group === undefined) expect(now?.groupId).toBe(String(before.group ?? -1));
  }
  for (const [id, times] of world.deletions) {
    expect(intended.get(id)?.ensure).toBe('absent');
    expect(times).toBe(1);
  }
  for (const times of world.installs.values()) expect(times).toBe(1);
}

const everything: Reorganization = {
  hosts: [
    { id: 1, name: 'A', group: 10 },
    { id: 2, name: 'B' },
    { id: 3, name: 'C' },
    { id: 4, name: 'D' },
    { id: 5, name: 'E', antivirus: 'missing' },
    { id: 6, name: 'F' },
    { id: '9223372036854775807', name: 'G' },
    { id: 8, name: 'bystander' },
  ],
  entries: [
    { id: 1, name: 'B', group: 'Munich' },
    { id: 2, name: 'C' },
    { id: 3, name: 'A' },
    { id: 4, name: 'F', group: null },
    { id: 5, name: 'e', antivirus: true },
    { id: 6, ensure: 'absent' },
    { id: '9223372036854775807', name: 'D', group: 'Berlin' },
  ],
};

async function callsOf(reorganization: Reorganization): Promise<number> {
  const world = newWorld(reorganization);
  const service = fakeService(world.hosts);
  await applyPlan({
    plan: planOn(reorganization.entries, world.hosts),
    observed: world.hosts,
    ...service,
    journal: memoryJournal(),
    clock: { now: () => 0, sleep: async () => {} },
    stop: new AbortController().signal,
    onEvent: () => {},
  });
  return service.calls.length;
}

const phases = ['before', 'after'] as const;

describe('a crash at every boundary', () => {
  it('is repaired by the next run, which plans again', async () => {
    const calls = await callsOf(everything);
    expect(calls).toBeGreaterThan(10);
    for (let call = 0; call < calls; call += 1) {
      for (const phase of phases) {
        const world = newWorld(everything);
        expect(await runOnce(world, everything.entries, { call, phase })).toBe('dead');
        const result = await runOnce(world, everything.entries, undefined);
        expect(result).toMatchObject({ converged: true });
        expectConverged(world, everything);
      }
    }
  });

  it('is repaired by applying the same saved plan again', async () => {
    const calls = await callsOf(everything);
    for (let call = 1; call <= calls; call += 1) {
      for (const phase of phases) {
        const world = newWorld(everything);
        const saved = planOn(everything.entries, world.hosts);
        expect(await runOnce(world, everything.entries, { call, phase }, saved)).toBe('dead');
        expect(await runOnce(world, everything.entries, undefined, saved)).toMatchObject({ converged: true });
        expectConverged(world, everything);
      }
    }
  });

  it('is repaired when the repair crashes too', async () => {
    const calls = await callsOf(everything);
    for (let first = 0; first < calls; first += 1) {
      for (let second = 0; second < calls; second += 1) {
        for (const phase of phases) {
          const world = newWorld(everything);
          await runOnce(world, everything.entries, { call: first, phase });
          await runOnce(world, everything.entries, { call: second, phase: 'after' });
          expect(await runOnce(world, everything.entries, undefined)).toMatchObject({ converged: true });
          expectConverged(world, everything);
        }
      }
    }
  });

  it('in any reorganization of any fleet', async () => {
    await fc.assert(
      fc.asyncProperty(
        reorganizations,
        fc.array(fc.record({ call: fc.nat(12), phase: fc.constantFrom(...phases) }), { maxLength: 3 }),
        async (reorganization, deaths) => {
          const world = newWorld(reorganization);
          for (const death of deaths) await runOnce(world, reorganization.entries, death);
          expect(await runOnce(world, reorganization.entries, undefined)).toMatchObject({ converged: true });
          expectConverged(world, reorganization);
        },
      ),
      casesOf(200),
    );
  });
});

describe('randomly lost responses', () => {
  it('lead only to the intended fleet, or to a named step', async () => {
    await fc.assert(
      fc.asyncProperty(
        reorganizations,
        fc.array(
          fc.constantFrom<Fate>(
            'ok',
            'ok',
            'ok',
            'lost-before',
            'lost-after',
            { status: 500 },
            { status: 409 },
          ),
          {
            minLength: 40,
            maxLength: 40,
          },
        ),
        async (reorganization, fates) => {
          const world = newWorld(reorganization);
          const service = fakeService(world.hosts, (_, index) => fates[index] ?? 'ok');
          const result = await applyPlan({
            plan: planOn(reorganization.entries, world.hosts),
            observed: world.hosts,
            replan: (observed) => planOn(reorganization.entries, observed),
            ...service,
            journal: memoryJournal(),
            clock: { now: () => 0, sleep: async () => {} },
            stop: new AbortController().signal,
            onEvent: () => {},
          });
          world.hosts = snapshot(world.hosts, service.hosts);
          const complete = result.steps.every((step) => step.outcome === 'done');
          if (!complete) {
            expect(await runOnce(world, reorganization.entries, undefined)).toMatchObject({
              converged: true,
            });
          }
          expectConverged({ ...world, deletions: new Map() }, reorganization);
        },
      ),
      casesOf(200),
    );
  });
});
