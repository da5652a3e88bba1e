import { describe, expect, it } from 'vitest';
import type { InstallRecall } from '../../../src/core/model/install-request.ts';
import { type Observed, observe } from '../../../src/core/model/observed.ts';
import type { RunEvent } from '../../../src/core/model/run-event.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { failed, problem, type Result } from '../../../src/core/problem/problem.ts';
import { applyStaged, type Canary } from '../../../src/run/apply/apply-staged.ts';
import { type ApplyInputs, applySteps } from '../../../src/run/apply/apply-steps.ts';
import type { Journal, OutcomeDetails } from '../../../src/run/state/journal/journal.ts';
import type { ReadOptions } from '../../../src/service/wire/fleet.ts';
import { type FakeCall, type Fate, fakeService } from '../../given/fake-service.ts';
import { at, givenFleet, hostId } from '../../given/fleet.ts';
import { memoryJournal } from '../../given/memory-journal.ts';
import { givenPlan } from '../../given/plan.ts';
import { antivirusStep, deleteStep, moveStep, refreshStep, renameStep } from '../../given/steps.ts';

const fleet = givenFleet(
  [1, 2, 3, 4].map((id) => ({ id, name: `H${id}`, antivirus: 'missing' as const })),
  { 10: 'Berlin' },
);

interface Given {
  readonly steps?: readonly Step[];
  readonly fate?: (call: FakeCall, index: number) => Fate;
  readonly saved?: boolean;
  readonly journal?: Partial<Journal>;
  readonly stop?: AbortController;
  readonly readsAntivirus?: boolean;
  readonly more?: Partial<ApplyInputs>;
  readonly canary?: Canary;
}

async function run({ steps = [moveStep('s1', [1, 2], 10)], fate, saved = false, ...given }: Given) {
  const events: RunEvent[] = [];
  const reads: ReadOptions[] = [];
  const service = fakeService(fleet, fate);
  const empty = givenPlan({ entries: [], hosts: [] });
  const lists = given.readsAntivirus === true ? [{ list: 'antivirus-details' as const, at }] : [];
  const plan = {
    ...empty,
    steps,
    observed: { ...empty.observed, lists: [{ list: 'hosts-with-groups' as const, at }, ...lists] },
  };
  const inputs: ApplyInputs = {
    plan,
    ...(saved ? {} : { observed: fleet, replan: () => empty }),
    reader: {
      ...service.reader,
      read(options) {
        reads.push(options);
        return service.reader.read(options);
      },
    },
    writer: service.writer,
    journal: { ...memoryJournal(), ...given.journal },
    clock: { now: () => Date.parse(at), sleep: async () => {} },
    stop: (given.stop ?? new AbortController()).signal,
    onEvent: (event) => void events.push(event),
    ...given.more,
  };
  const summary = await (given.canary === undefined ? applySteps(inputs) : applyStaged(inputs, given.canary));
  return { summary, events, calls: service.calls, reads: reads.map(({ antivirus }) => antivirus) };
}

describe('the events of a run', () => {
  it('are its start, each step as it begins and ends, what went wrong, and its end', async () => {
    const steps = [moveStep('s1', [1, 2], 10), deleteStep('s2', [3])];
    const { events } = await run({ steps, fate: ({ kind }) => (kind === 'delete' ? { status: 401 } : 'ok') });
    expect(events).toMatchObject([
      { type: 'apply_start', runId: 'run-1', steps: 2 },
      { type: 'step_start', step: 's1', kind: 'move', hosts: 2 },
      { type: 'step_end', step: 's1', outcome: 'done', done: 1, of: 2 },
      { type: 'step_start', step: 's2', kind: 'delete', hosts: 1 },
      { type: 'diagnostic', problem: { code: 'not-authenticated' } },
      { type: 'step_end', step: 's2', outcome: 'failed', done: 2, of: 2 },
      { type: 'apply_end', runId: 'run-1', sent: { move: 1, delete: 1 } },
    ]);
  });
});

describe('the journal of a run', () => {
  it("stops a step whose record can't be written", async () => {
    const journal = { begin: async () => failed(problem('journal', 'no room')) };
    const { summary, calls } = await run({
      steps: [moveStep('s1', [1], 10), deleteStep('s2', [2])],
      journal,
    });
    expect(calls).toEqual([]);
    expect(summary.steps.map(({ outcome }) => outcome)).toEqual(['failed', 'not-started']);
    expect(summary.steps[0]?.problem?.message).toBe('no room');
  });
  it('stops a step if its record fails without a reason, too', async () => {
    const begin = async (): Promise<Result<null>> => ({ ok: false, problems: [] });
    const { summary, calls } = await run({ journal: { begin } });
    expect([calls, summary.steps[0]?.outcome]).toEqual([[], 'not-started']);
  });
  it('receives what failed and what is in doubt, and is awaited', async () => {
    const told: (OutcomeDetails | undefined)[] = [];
    const outcome: Journal['outcome'] = async (_, __, details) => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push(details);
    };
    const journal = { outcome };
    const lost = await run({
      steps: [antivirusStep('s1', [1, 2])],
      fate: ({ kind }) => (kind === 'antivirus' ? 'lost-before' : 'ok'),
      journal,
    });
    expect(lost.summary.steps[0]?.outcome).toBe('unknown');
    await run({ fate: ({ kind }) => (kind === 'move' ? { status: 400, hostIds: ['2'] } : 'ok'), journal });
    await run({ journal });
    expect(told).toMatchObject([
      { problem: { code: 'network' }, inDoubtHostIds: ['1', '2'] },
      { problem: { code: 'bad-request' }, failedHostIds: ['2', '1'] },
      {},
    ]);
    expect(told.map((each) => Object.keys(each ?? {}).length)).toEqual([2, 2, 0]);
  });
});

describe('the read of a run', () => {
  it.each([
    ['no anti-virus for a plan that did not', { readsAntivirus: false }, [false]],
    ['the anti-virus to plan again', { readsAntivirus: true }, [true]],
    [
      'no anti-virus to verify a saved plan without installs',
      { readsAntivirus: true, saved: true },
      [true, false],
    ],
    ['nothing for an empty plan', { steps: [] }, []],
  ] as const)('is %s', async (_, given, expected) => {
    expect((await run(given)).reads).toEqual(expected);
  });
  it.each([
    ['an install', [antivirusStep('s1', [1])]],
    ['a refresh', [refreshStep('s1', [1])]],
    ['an install among other changes', [moveStep('s1', [1, 2], 10), antivirusStep('s2', [1])]],
  ])('is the anti-virus to verify a saved plan with %s', async (_, steps) => {
    expect((await run({ steps, readsAntivirus: true, saved: true })).reads.at(-1)).toBe(true);
  });
  it('is kept as the fleet that the run left', async () => {
    const { summary } = await run({});
    expect(summary.left).toBe(summary.lastRead);
    expect(summary.lastRead?.byId(hostId(1))?.groupId).toBe('10');
    const [planned, saved] = [await run({ steps: [] }), await run({ steps: [], saved: true })];
    expect(planned.summary.lastRead).toBe(fleet);
    expect([saved.summary.verified, saved.summary.lastRead !== null]).toEqual([true, false]);
  });
  it('may fail at the end: the run is not verified, and left what it did', async () => {
    const { summary } = await run({ fate: ({ kind }) => (kind === 'fleet' ? 'lost-before' : 'ok') });
    expect(summary).toMatchObject({ verified: null, lastRead: null, problems: [{ code: 'network' }] });
    expect(summary.left?.byId(hostId(1))?.groupId).toBe('10');
  });
  it('may fail at the start: nothing begins, and pending installs stay pending', async () => {
    const { summary, events } = await run({
      steps: [antivirusStep('s1', [1])],
      saved: true,
      fate: () => 'lost-before',
    });
    expect(summary.steps.map(({ outcome }) => outcome)).toEqual(['not-started']);
    expect([summary.problems[0]?.code, summary.pendingInstalls, events]).toEqual(['network', [], []]);
  });
  it('is missing after its last step if the run is stopped in that step', async () => {
    const stop = new AbortController();
    const outcome = async () => stop.abort();
    const { summary, reads } = await run({ stop, journal: { outcome } });
    expect([summary.verified, summary.interrupted, reads]).toEqual([null, true, []]);
  });
});

describe('work of an earlier run', () => {
  it('is not sent again: installs that it requested', async () => {
    const installs: InstallRecall = {
      requests: new Map([[hostId(1), { state: 'accepted', requestedAt: at }]]),
      windowMs: 1000,
      settleMs: 1000,
    };
    const { summary, calls } = await run({ steps: [antivirusStep('s1', [1])], more: { installs } });
    expect([calls, summary.steps[0]?.outcome]).toEqual([['fleet'], 'already']);
    expect(summary.pendingInstalls).toMatchObject([{ hostId: '1', state: 'in-progress' }]);
  });
  it('is not sent again: hosts of a batch that are as intended', async () => {
    const moved: Observed = observe({
      takenAt: at,
      lists: fleet.lists,
      groups: fleet.groups,
      hosts: [1, 2, 3, 4].map((id) => {
        const host = fleet.byId(hostId(id)) as ReturnType<Observed['at']>;
        return id === 1 ? { ...host, groupId: moveStep('s', [], 10).groupId } : host;
      }),
    });
    expect((await run({ more: { observed: moved } })).calls[0]).toBe('move 2');
  });
  it('leaves each stale host with its own cause', async () => {
    const steps = [moveStep('s1', [{ id: 1, name: 'X' }], 10), renameStep('s2', { id: 2, name: 'Y' }, 'Z')];
    const { summary } = await run({ steps, saved: true, more: { skipStale: true } });
    expect(summary.steps.map(({ outcome, problem: cause }) => [outcome, cause?.hostIds])).toEqual([
      ['skipped', ['1']],
      ['skipped', ['2']],
    ]);
  });
});

describe('calls whose response is lost', () => {
  it('are repeated for the hosts that a read does not show as moved, and not after a refusal', async () => {
    const lost = await run({ fate: (_, index) => (index === 0 ? 'lost-before' : 'ok') });
    expect(lost.calls).toEqual(['move 1+2', 'fleet', 'move 1+2', 'fleet']);
    const refused = await run({ fate: (_, index) => (index === 0 ? { status: 400 } : 'ok') });
    expect(refused.calls).toEqual(['move 1+2', 'move 1', 'move 2', 'fleet']);
  });
});

describe('a run with a canary', () => {
  const all = [
    renameStep('s1', { id: 1 }, 'X'),
    renameStep('s2', { id: 2 }, 'Y'),
    moveStep('s3', [1, 2], 10),
    refreshStep('s4', [1, 2]),
    antivirusStep('s5', [1, 2]),
  ];
  it('counts the calls of both parts, and distinguishes the parts of one step', async () => {
    const steps = [...all, deleteStep('s6', [3, 4])];
    const { summary } = await run({ steps, canary: { kind: 'count', count: 3 } });
    expect(summary.sent).toEqual({ rename: 2, move: 1, delete: 2, antivirus: 1, refresh: 1 });
    const halves = await run({ steps: all, canary: { kind: 'count', count: 1 } });
    expect(halves.summary.sent).toEqual({ rename: 2, move: 2, delete: 0, antivirus: 2, refresh: 2 });
    expect(halves.summary.steps.map(({ step }) => step.id)).toEqual([
      's1',
      's3',
      's4',
      's5',
      's2',
      's3-rest',
      's4-rest',
      's5-rest',
    ]);
  });
  it('of all hosts is one run', async () => {
    const { events } = await run({ canary: { kind: 'count', count: 9 } });
    expect(events.filter(({ type }) => type === 'apply_start')).toHaveLength(1);
  });
  it('of no host applies the whole saved plan', async () => {
    const { summary } = await run({ saved: true, canary: { kind: 'count', count: 0 } });
    expect(summary.steps.map(({ outcome }) => outcome)).toEqual(['done']);
  });
  it('that fails leaves out the rest, and reports why', async () => {
    const { summary } = await run({
      canary: { kind: 'count', count: 1 },
      fate: ({ kind }) => (kind === 'move' ? { status: 401 } : 'ok'),
    });
    expect(summary.steps.map(({ outcome, problem: cause }) => [outcome, cause?.code])).toEqual([
      ['failed', 'not-authenticated'],
      ['not-started', 'step-skipped'],
    ]);
  });
});
