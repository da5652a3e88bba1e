import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import type { Observed, ObservedHost } from '../../../src/core/model/observed.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { failed, ok, problem, type Result } from '../../../src/core/problem/problem.ts';
import { applyPlan } from '../../../src/run/apply/apply-plan.ts';
import { exitForRun } from '../../../src/run/apply/exit-code.ts';
import { freshRead } from '../../../src/run/apply/fresh-read.ts';
import { createLatestRead } from '../../../src/run/apply/latest-read.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { type FakeCall, type FakeService, type Fate, fakeService } from '../../given/fake-service.ts';
import { at, type GivenHost, givenFleet, groupId, hostId, named } from '../../given/fleet.ts';
import { memoryJournal } from '../../given/memory-journal.ts';

const fleet: readonly GivenHost[] = named('A', 'B', 'C', 'D');
const minute = 60_000;

interface Story {
  readonly entries?: readonly GivenEntry[];
  /** From the read that the plan relies on to the first write. */
  readonly waitMs: number;
  readonly maxReadAgeMs?: number;
  readonly from?: 'file' | 'desired state';
  /** What someone else does while the run waits. */
  readonly meanwhile?: (service: FakeService) => void;
  readonly fate?: (call: FakeCall, index: number) => Fate;
  /** How long each deletion waits for its turn. */
  readonly turnMs?: number;
}

async function run(story: Story) {
  const clock = createVirtualClock(Date.parse(at), { auto: true });
  const start = givenFleet(fleet, { 10: 'Berlin' });
  const planOn = (observed: Observed) =>
    makePlan({
      desired: givenDesired(story.entries ?? [{ id: 1, ensure: 'absent' }], noLimits),
      observed,
      account: { companyId: '1', service: 'emulator' },
      now: at,
    });
  const plan = planOn(start);
  const time = () => new Date(clock.now()).toISOString();
  const service = fakeService(start, story.fate, undefined, time);
  const journal = memoryJournal();
  let waited = false;
  const account = await applyPlan({
    plan,
    ...(story.from === 'file' ? {} : { observed: start, replan: planOn }),
    reader: service.reader,
    writer: {
      ...service.writer,
      async remove(hosts, options) {
        if (story.turnMs !== undefined) await clock.sleep(story.turnMs);
        const precondition = options?.precondition?.();
        return precondition === undefined
          ? service.writer.remove(hosts, options)
          : { ok: false, failure: { problem: precondition, outcome: 'not-sent', hostIds: [] } };
      },
    },
    journal: {
      ...journal,
      // The wait lies between the read before the first write and the writes.
      async begin(step) {
        if (!waited) await clock.sleep(story.waitMs);
        if (!waited) story.meanwhile?.(service);
        waited = true;
        return journal.begin(step);
      },
    },
    clock,
    stop: new AbortController().signal,
    onEvent: () => {},
    ...(story.maxReadAgeMs === undefined ? {} : { maxReadAgeMs: story.maxReadAgeMs }),
  });
  const failed = account.steps.flatMap(({ failedHosts }) => failedHosts.map((each) => each.hostId));
  return { account, calls: service.calls, exit: exitForRun(account, plan), failed };
}

const change = (id: number, part: Partial<ObservedHost>) => (service: FakeService) =>
  service.hosts.set(hostId(id), { ...(service.hosts.get(hostId(id)) as ObservedHost), ...part });

describe('a deletion', () => {
  it('waits for another read if the latest one is older', async () => {
    const { calls, exit } = await run({ waitMs: minute + 1 });
    expect([exit, calls]).toEqual([0, ['fleet', 'delete 1', 'fleet']]);
  });

  it('uses the maximum age that the user allows', async () => {
    const older = await run({ waitMs: 2 * minute, maxReadAgeMs: 2 * minute });
    expect(older.calls).toEqual(['delete 1', 'fleet']);
    const younger = await run({ waitMs: 1001, maxReadAgeMs: 1000 });
    expect(younger.calls).toEqual(['fleet', 'delete 1', 'fleet']);
  });

  const changes = [
    ['was renamed', change(1, { name: 'IMPORTANT' })],
    ['was moved', change(1, { groupId: groupId(10) })],
  ] as const;
  for (const from of ['file', 'desired state'] as const) {
    it.each(changes)(
      `from a ${from} leaves out a host that %s since the plan, and names it`,
      async (_, meanwhile) => {
        const entries: readonly GivenEntry[] = [
          { id: 1, ensure: 'absent' },
          { id: 2, ensure: 'absent' },
        ];
        const { calls, exit, failed, account } = await run({ waitMs: 2 * minute, meanwhile, from, entries });
        expect([exit, failed]).toEqual([5, ['1']]);
        expect(calls.filter((call) => call.startsWith('delete'))).toEqual(['delete 2']);
        expect(account.steps[0]?.failedHosts[0]?.problem).toMatchObject({
          code: 'stale-plan',
          hostIds: ['1'],
        });
      },
    );
  }

  it("is not sent if the list can't be read again", async () => {
    const { calls, exit, failed } = await run({
      waitMs: 2 * minute,
      fate: ({ kind }) => (kind === 'fleet' ? 'lost-before' : 'ok'),
    });
    expect([exit, failed, calls]).toEqual([5, ['1'], ['fleet']]);
  });

  it('that waits too long for its turn is not sent based on its earlier read', async () => {
    const { calls, exit, failed } = await run({ waitMs: 0, turnMs: minute + 1 });
    expect([exit, failed]).toEqual([5, ['1']]);
    expect(calls.every((call) => call === 'fleet')).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  it('is the only call that reads again: a rename and a move do not wait for a list', async () => {
    const { calls } = await run({ waitMs: 5 * minute, entries: [{ id: 1, name: 'X', group: 'Berlin' }] });
    expect(calls).toEqual(['rename 1 X', 'move 1', 'fleet']);
  });
});

describe('a read that a deletion relies on', () => {
  const unused = () => Promise.reject(new Error('not expected'));
  const given = (fleet: () => Promise<Result<Observed>>, stop = new AbortController().signal) =>
    freshRead({
      reread: { fleet, names: unused, antivirus: unused },
      latestRead: createLatestRead([], 0),
      stop,
      clock: { now: () => minute + 1, sleep: async () => {} },
    });
  const read = async () => ok(givenFleet([]));

  it('is repeated at most four times', async () => {
    const fresh = given(read);
    for (let times = 0; times < 4; times += 1) expect(await fresh.refresh()).toBeUndefined();
    expect(await fresh.refresh()).toEqual({
      code: 'step-failed',
      severity: 'error',
      message: 'the deletion was not sent: each read was too old when the call was due',
      hint: 'raise --max-read-age',
    });
  });
  it('is not awaited if the run is stopped, before or during the wait', async () => {
    const never = () => new Promise<never>(() => {});
    const stop = new AbortController();
    const before = await given(never, AbortSignal.abort()).refresh();
    const meanwhile = given(never, stop.signal).refresh();
    stop.abort();
    for (const cause of [before, await meanwhile])
      expect(cause?.message).toBe('the deletion was not sent: the run was stopped');
  });
  it('that fails names its cause, if it has one', async () => {
    const known = await given(async () => failed(problem('network', 'no reply'))).refresh();
    expect(known).toMatchObject({
      code: 'network',
      message: 'the deletion was not sent because the list could not be read again: no reply',
    });
    const unknown = await given(async () => ({ ok: false, problems: [] })).refresh();
    expect(unknown?.message).toBe('the deletion was not sent: the list could not be read again');
  });
});
