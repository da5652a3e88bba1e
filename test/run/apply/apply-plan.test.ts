import { describe, expect, it } from 'vitest';
import type { HostId, Observed, ObservedHost } from '../../../src/core/model/observed.ts';
import type { RunEvent } from '../../../src/core/model/run-event.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import type { RunSummary } from '../../../src/core/plan/types/run-summary.ts';
import { hostIdsOf } from '../../../src/core/plan/types/step.ts';
import { type Problem, problem } from '../../../src/core/problem/problem.ts';
import { unverifiedHosts } from '../../../src/output/review/run-report.ts';
import type { Budget } from '../../../src/run/apply/admission.ts';
import { applyPlan } from '../../../src/run/apply/apply-plan.ts';
import { exitForRun } from '../../../src/run/apply/exit-code.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { type FakeCall, type FakeService, type Fate, fakeService } from '../../given/fake-service.ts';
import { at, type GivenHost, givenFleet, groupId, hostId, named } from '../../given/fleet.ts';
import { memoryJournal } from '../../given/memory-journal.ts';

const account = { companyId: '1', service: 'emulator' };
const groups = { 10: 'Berlin' };

interface Run {
  readonly account: RunSummary;
  readonly service: FakeService;
  readonly journal: readonly string[];
  readonly plan: Plan;
  readonly events: readonly RunEvent[];
}

interface RunOptions {
  readonly fate?: (call: FakeCall, index: number) => Fate;
  readonly saved?: boolean;
  /** What someone else does between plan and apply. */
  readonly meanwhile?: (service: FakeService) => void;
  readonly stop?: AbortSignal;
  /** What a planner with a bug makes of the plan. */
  readonly spoil?: (plan: Plan) => Plan;
  readonly leftOut?: readonly Problem[];
  readonly written?: ReadonlySet<HostId>;
  readonly budget?: Budget;
}

async function run(
  hosts: readonly GivenHost[],
  entries: readonly GivenEntry[],
  options: RunOptions = {},
): Promise<Run> {
  const start = givenFleet(hosts, groups);
  const planOn = (observed: Observed) =>
    makePlan({
      desired: givenDesired(entries, noLimits),
      observed,
      account,
      now: at,
    });
  const plan = (options.spoil ?? ((sound) => sound))(planOn(start));
  const service = fakeService(start, options.fate);
  options.meanwhile?.(service);
  const journal = memoryJournal();
  const events: RunEvent[] = [];
  const result = await applyPlan({
    plan,
    ...(options.saved === true ? {} : { observed: start, replan: planOn }),
    reader: service.reader,
    writer: service.writer,
    journal,
    clock: { now: () => 0, sleep: async () => {} },
    stop: options.stop ?? new AbortController().signal,
    onEvent: (event) => void events.push(event),
    ...(options.leftOut === undefined ? {} : { leftOut: options.leftOut }),
    ...(options.written === undefined ? {} : { written: options.written }),
    budget: options.budget ?? {},
  });
  return { account: result, service, journal: journal.lines, plan, events };
}

/** Someone else edits a host. */
function change(service: FakeService, id: number, part: Partial<ObservedHost>): void {
  service.hosts.set(hostId(id), { ...(service.hosts.get(hostId(id)) as ObservedHost), ...part });
}

const names = (service: FakeService) => [...service.hosts.values()].map((host) => host.name);
const outcomes = (result: RunSummary) => result.steps.map((step) => step.outcome);
const swap = named('A', 'B');
const swapped = named('B', 'A');
/** The fate of the nth rename call. */
const nthRename = (nth: number, fate: Fate) => {
  let seen = 0;
  return (call: FakeCall): Fate => (call.kind === 'rename' && ++seen === nth ? fate : 'ok');
};

describe('applying a plan', () => {
  it('does everything in as many calls as planned, and verifies', async () => {
    const {
      account: result,
      service,
      plan,
    } = await run(
      [...swap, { id: 3, name: 'C', antivirus: 'missing' }, { id: 4, name: 'D' }],
      [...swapped, { id: 3, group: 'Berlin', antivirus: true }, { id: 4, ensure: 'absent' }],
    );
    expect(names(service)).toEqual(['B', 'A', 'C']);
    expect(service.calls.filter((call) => !/^(fleet|names)$/.test(call))).toHaveLength(plan.calls.planned);
    expect(result).toMatchObject({
      converged: true,
      interrupted: false,
      sent: { rename: 3, move: 1, antivirus: 1, delete: 1 },
    });
  });
  it('journals a step before its call, and its outcome after', async () => {
    const { journal } = await run([{ id: 1, name: 'A' }], [{ id: 1, name: 'B' }]);
    expect(journal).toEqual(['begin s1', 'done s1']);
  });
});

describe('a saved plan', () => {
  const stale: readonly [string, (service: FakeService) => void, string][] = [
    ['a host was renamed', (s) => change(s, 1, { name: 'Z' }), '"A" (1) now has the name "Z"'],
    [
      'a host was moved',
      (s) => change(s, 1, { groupId: groupId(10) }),
      '"A" (1) is now in the group "Berlin"',
    ],
    ['a host is gone', (s) => s.hosts.delete(hostId(2)), '"B" (2) is no longer in the list'],
  ];
  it.each(stale)('is refused before the first write if %s', async (_, meanwhile, message) => {
    const { account: result, service } = await run(swap, swapped, { saved: true, meanwhile });
    expect(result.problems).toMatchObject([{ code: 'stale-plan', message }]);
    expect(service.calls).toEqual(['fleet']);
    expect(outcomes(result)).toEqual(['not-started', 'not-started', 'not-started']);
  });
  it('survives enrollments, renames and state changes of other hosts', async () => {
    const meanwhile = (s: FakeService) => {
      change(s, 1, { online: false });
      s.hosts.set(hostId(9), { id: hostId(9), name: 'other', groupId: groupId(10), online: true });
    };
    const { account: result } = await run(swap, swapped, { saved: true, meanwhile });
    expect(result.converged).toBe(true);
  });
});

describe('a saved plan whose hosts may be left out', () => {
  const hosts = [...swap, { id: 3, name: 'C' }, { id: 4, name: 'D' }];
  const entries = [...swapped, { id: 3, name: 'X' }, { id: 4, name: 'Y' }];
  const without = (...ids: readonly number[]) => [
    problem('stale-plan', 'no longer wanted', { hostIds: ids.map(hostId) }),
  ];

  it('leaves out whole units, including those with changed hosts, and verifies the others', async () => {
    const {
      account: result,
      service,
      plan,
    } = await run(hosts, entries, {
      saved: true,
      leftOut: without(2),
      meanwhile: (s) => change(s, 4, { name: 'Z' }),
    });
    expect(names(service)).toEqual(['A', 'B', 'X', 'Z']);
    expect(result).toMatchObject({ verified: true, converged: null });
    expect(outcomes(result).filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(exitForRun(result, plan)).toBe(0);
  });

  it('is refused before the first write if nothing is left of it', async () => {
    const { account: result, service } = await run(swap, swapped, { saved: true, leftOut: without(1) });
    expect(names(service)).toEqual(['A', 'B']);
    expect(new Set(outcomes(result))).toEqual(new Set(['not-started']));
    expect(result).toMatchObject({ verified: null, problems: [{ code: 'stale-plan' }] });
  });

  const rename = (service: FakeService, id: number, name: string) => change(service, id, { name });
  /** Someone else does this while the first call that renames a host to this name is in flight. */
  const during = (to: string, act: (service: FakeService) => void) => {
    let service: FakeService | undefined;
    return {
      saved: true,
      leftOut: [],
      meanwhile: (given: FakeService) => void (service = given),
      fate: (call: FakeCall): Fate => {
        if (call.kind !== 'rename' || call.to !== to || service === undefined) return 'ok';
        act(service);
        return 'lost-before';
      },
    };
  };

  it('leaves out the unit of a host that someone renames or deletes during the run', async () => {
    for (const act of [
      (service: FakeService) => rename(service, 3, 'by hand'),
      (service: FakeService) => service.hosts.delete(hostId(3)),
    ]) {
      const { account: result, plan, journal } = await run(hosts, entries, during('X', act));
      expect(result).toMatchObject({ verified: true, converged: null });
      expect(outcomes(result).toSorted()).toEqual(['done', 'done', 'done', 'done', 'skipped']);
      expect(result.steps.find(({ outcome }) => outcome === 'skipped')?.problem).toMatchObject({
        code: 'stale-plan',
        hostIds: ['3'],
      });
      expect(exitForRun(result, plan)).toBe(0);
      expect(journal.filter((line) => line.includes('failed'))).toEqual([]);
    }
  });

  it('does not verify a host that a later read shows with other values, with the old values, or not at all', async () => {
    for (const after of [{ name: 'by hand' }, { name: 'C' }, undefined]) {
      let service: FakeService | undefined;
      const { account: result, plan } = await run(hosts, entries, {
        saved: true,
        leftOut: [],
        meanwhile: (given) => void (service = given),
        fate(call) {
          // The run has renamed host 3 when it renames host 2.
          if (call.kind !== 'rename' || call.to !== 'A' || service === undefined) return 'ok';
          if (after === undefined) service.hosts.delete(hostId(3));
          else change(service, 3, after);
          return 'ok';
        },
      });
      expect(result).toMatchObject({
        verified: false,
        problems: [{ code: 'not-converged', hostIds: ['3'] }],
      });
      expect(unverifiedHosts(result)).toEqual(['3']);
      expect(exitForRun(result, plan)).toBe(8);
    }
  });

  it('does not leave out a host that an earlier worker of the run may have changed', async () => {
    for (const written of [3, 1]) {
      const { account: result, plan } = await run(hosts, entries, {
        saved: true,
        leftOut: [],
        written: new Set([hostId(written)]),
        meanwhile: (s) => change(s, 3, { name: 'by hand' }),
      });
      const isWritten = written === 3;
      expect(unverifiedHosts(result)).toEqual(isWritten ? ['3'] : []);
      expect(result.verified).toBe(isWritten ? null : true);
      expect(exitForRun(result, plan)).toBe(isWritten ? 5 : 0);
    }
  });

  it('moves the other hosts of a batch if someone changed one host during the run', async () => {
    const few = [
      { id: 3, name: 'C' },
      { id: 4, name: 'D' },
    ];
    let service: FakeService | undefined;
    const { account: result, plan } = await run(
      few,
      [
        { id: 3, group: 'Berlin' },
        { id: 4, group: 'Berlin' },
      ],
      {
        saved: true,
        leftOut: [],
        meanwhile: (given) => void (service = given),
        fate(call) {
          if (call.kind !== 'move' || service?.hosts.has(hostId(3)) !== true) return 'ok';
          service.hosts.delete(hostId(3));
          return 'lost-before';
        },
      },
    );
    expect(result.steps.map(({ outcome, step }) => [outcome, hostIdsOf(step)])).toEqual([
      ['done', ['4']],
      ['skipped', ['3']],
    ]);
    expect(result.verified).toBe(true);
    expect(exitForRun(result, plan)).toBe(0);
  });

  it('leaves out the whole unit if nothing of it is done yet', async () => {
    const chain = [{ id: 1, name: 'B' }, { id: 2, name: 'N' }, ...entries.slice(2)];
    const { account: result, service } = await run(
      hosts,
      chain,
      during('N', (given) => rename(given, 2, 'by hand')),
    );
    expect(names(service)).toEqual(['A', 'by hand', 'X', 'Y']);
    expect(outcomes(result).toSorted()).toEqual(['done', 'done', 'skipped', 'skipped']);
    expect(result.verified).toBe(true);
  });

  it('fails if a unit that has begun must stop', async () => {
    const { account: result, plan } = await run(
      hosts,
      entries,
      during('A', (given) => rename(given, 2, 'by hand')),
    );
    expect(outcomes(result)).toContain('failed');
    expect(result.verified).toBeNull();
    expect(exitForRun(result, plan)).toBe(5);
  });

  it('is not successful if everything drops out during the run', async () => {
    const { account: result, plan } = await run(
      [{ id: 3, name: 'C' }],
      [{ id: 3, name: 'X' }],
      during('X', (given) => rename(given, 3, 'by hand')),
    );
    expect(outcomes(result)).toEqual(['skipped']);
    expect(result.verified).toBeNull();
    expect(exitForRun(result, plan)).toBe(5);
  });

  it('is not verified if one of the others fails', async () => {
    const { account: result, plan } = await run(hosts, entries, {
      saved: true,
      leftOut: without(1),
      fate: nthRename(1, { status: 400 }),
    });
    expect(result.verified).toBeNull();
    expect(exitForRun(result, plan)).toBe(5);
  });
});

describe('a budget', () => {
  const hosts = [...swap, { id: 3, name: 'C' }, { id: 4, name: 'D' }];
  const entries = [...swapped, { id: 3, name: 'X' }, { id: 4, name: 'Y' }];

  it("of calls never begins a component that it can't finish", async () => {
    const { account: result, service } = await run(hosts, entries, { budget: { maxCalls: 2 } });
    expect(names(service)).toEqual(['A', 'B', 'X', 'Y']);
    expect(outcomes(result)).toEqual(['not-started', 'not-started', 'not-started', 'done', 'done']);
    expect(result.steps[0]?.problem?.code).toBe('budget-spent');
    expect(result.converged).toBeNull();
  });
});

describe('a lost response', () => {
  it.each([1, 2, 3])('to rename %i is settled by one read if the rename was done', async (nth) => {
    const { account: result, service } = await run(swap, swapped, { fate: nthRename(nth, 'lost-after') });
    expect([names(service), result.converged]).toEqual([['B', 'A'], true]);
    expect(service.calls.filter((call) => call.startsWith('rename'))).toHaveLength(3);
  });
});

describe('a conflict', () => {
  it('with a new name conflict fails the step and those after it, and the rest continues', async () => {
    const hosts = named('A', 'B', 'C');
    const { account: result, service } = await run(hosts, named('B', 'X', 'Z'), {
      meanwhile: (s) =>
        s.hosts.set(hostId(9), { id: hostId(9), name: 'x', groupId: groupId(-1), online: true }),
    });
    expect(result.steps.map((step) => [step.step.id, step.outcome, step.problem?.code])).toEqual([
      ['s1', 'failed', 'name-conflict'],
      ['s2', 'skipped', 'step-skipped'],
      ['s3', 'done', undefined],
    ]);
    expect(names(service)).toEqual(['A', 'B', 'Z', 'x']);
  });
  it('on a case-only rename uses a temporary name, for two more calls', async () => {
    const { account: result, service } = await run([{ id: 1, name: 'a' }], [{ id: 1, name: 'A' }], {
      fate: nthRename(1, { status: 409 }),
    });
    expect([names(service), result.converged]).toEqual([['A'], true]);
    expect(service.calls.filter((call) => call.startsWith('rename'))).toHaveLength(3);
  });
});

describe('a batch', () => {
  const hosts = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: `H${index}` }));
  const moveAll = hosts.map(({ id }) => ({ id, group: 'Berlin' }));
  const inBerlin = (service: FakeService) =>
    [...service.hosts.values()].filter((host) => host.groupId === '10').length;

  it('loses only the ids that a refusal names', async () => {
    const {
      account: result,
      service,
      events,
    } = await run(hosts, moveAll, {
      meanwhile: (s) => s.hosts.delete(hostId(3)),
    });
    expect(inBerlin(service)).toBe(7);
    expect(service.calls.filter((call) => call.startsWith('move'))).toEqual([
      'move 1+2+3+4+5+6+7+8',
      'move 1+2+4+5+6+7+8',
    ]);
    expect(result.steps[0]?.failedHosts.map((each) => each.hostId)).toEqual(['3']);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'step_end', kind: 'move', outcome: 'failed', failedHosts: 1 }),
    );
  });
  it('counts a missing host as deleted, although the service calls its id invalid', async () => {
    const toDelete = hosts.map(({ id }) => ({ id, ensure: 'absent' as const }));
    const { account: result, service } = await run(hosts, toDelete, {
      meanwhile: (s) => s.hosts.delete(hostId(3)),
    });
    expect([service.hosts.size, result.converged]).toEqual([0, true]);
  });
});

describe('anti-virus installs', () => {
  const hosts = Array.from({ length: 5 }, (_, index) => ({
    id: index + 1,
    name: `H${index}`,
    antivirus: 'missing' as const,
  }));
  const all = hosts.map(({ id }) => ({ id, antivirus: true }));
  it('that exceed the quota are sent in file order, and the remaining hosts are reported', async () => {
    let left = 3;
    const { account: result, service } = await run(hosts, all, {
      fate: (call) => {
        if (call.kind !== 'antivirus') return 'ok';
        if (call.hosts.length > left) return { answer: 'quota-reached' };
        left -= call.hosts.length;
        return 'ok';
      },
    });
    expect([...service.hosts.values()].map((host) => host.antivirus?.installed)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(result.steps[0]).toMatchObject({
      outcome: 'failed',
      problem: { code: 'antivirus-quota', hostIds: ['4', '5'] },
    });
  });
  it('that are unavailable are a problem', async () => {
    const { account: result } = await run(hosts, all, {
      fate: (call) => (call.kind === 'antivirus' ? { answer: 'unavailable' } : 'ok'),
    });
    expect(result.steps[0]?.problem?.code).toBe('antivirus-unavailable');
  });
  it('that are in progress count as done, and verification requests no more', async () => {
    const { account: result } = await run(hosts, all, {
      fate: (call) => (call.kind === 'antivirus' ? { answer: 'pending' } : 'ok'),
    });
    expect(result).toMatchObject({ verified: true, converged: null });
    expect(result.pendingInstalls).toHaveLength(all.length);
    expect(result.pendingInstalls.every(({ state }) => state === 'in-progress')).toBe(true);
  });
});

describe('a stop', () => {
  it('starts no new step, and reports the remaining steps', async () => {
    const stop = new AbortController();
    const hosts = named('A', 'B', 'C');
    const { account: result } = await run(hosts, named('B', 'C', 'D'), {
      stop: stop.signal,
      fate: () => {
        stop.abort();
        return 'ok';
      },
    });
    expect(outcomes(result)).toEqual(['done', 'not-started', 'not-started']);
    expect(result).toMatchObject({ interrupted: true, converged: null });
  });
});

describe('a plan that does not prove itself', () => {
  const swap = named('B', 'A');
  const hosts = named('A', 'B');

  it.each([false, true])('is refused before the first call, saved: %s', async (saved) => {
    const spoil = (plan: Plan): Plan => ({
      ...plan,
      steps: plan.steps.map((step) => ({ ...step, after: [] })),
    });
    const { account: result, service, journal, events, plan } = await run(hosts, swap, { saved, spoil });
    expect(result.problems[0]).toMatchObject({
      code: 'plan-unsound',
      message: expect.stringContaining('it does not wait for s1, which renames the same host'),
    });
    expect(result.steps.map(({ outcome }) => outcome)).toEqual(plan.steps.map(() => 'not-started'));
    expect([result.verified, result.converged, result.left]).toEqual([null, null, null]);
    expect(exitForRun(result, plan)).toBe(3);
    expect([service.calls, journal, events]).toEqual([[], [], []]);
    expect(result.sent).toEqual({ rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 });
  });
});
