import { describe, expect, it } from 'vitest';
import type { Observed } from '../../../src/core/model/observed.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { RunSummary } from '../../../src/core/plan/types/run-summary.ts';
import { plainStyle } from '../../../src/output/review/color.ts';
import { renderProblem } from '../../../src/output/review/problem-text.ts';
import { paintRunSummary } from '../../../src/output/review/run-summary-text.ts';
import { applyPlan } from '../../../src/run/apply/apply-plan.ts';
import { exitForRun } from '../../../src/run/apply/exit-code.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { fakeService, type Shown } from '../../given/fake-service.ts';
import { at, type GivenHost, givenFleet } from '../../given/fleet.ts';
import { memoryJournal } from '../../given/memory-journal.ts';

/** Every write gets a success response; `does` decides whether it is carried out. */
interface Lie {
  readonly does: 'nothing' | 'everything';
  readonly shown?: Shown;
  readonly isDeletedElsewhere?: (id: string) => boolean;
}

const fleet: readonly GivenHost[] = [
  { id: 1, name: 'A', antivirus: 'missing' },
  { id: 2, name: 'B', antivirus: 'installed' },
  { id: 3, name: 'C', antivirus: 'installed' },
  { id: 4, name: 'D', antivirus: 'installed' },
];

async function apply(
  entries: readonly GivenEntry[],
  from: 'file' | 'desired state',
  { does, shown, isDeletedElsewhere }: Lie,
  hosts: readonly GivenHost[] = fleet,
): Promise<{ readonly exit: number; readonly account: RunSummary; readonly text: string }> {
  const start = givenFleet(hosts, { 10: 'Berlin' });
  const planOn = (observed: Observed) =>
    makePlan({
      desired: givenDesired(entries, noLimits),
      observed,
      account: { companyId: '1', service: 'emulator' },
      now: at,
    });
  const plan = planOn(start);
  const service = fakeService(
    start,
    ({ kind }) =>
      does === 'nothing' && kind !== 'fleet' && kind !== 'names' ? { answer: 'accepted' } : 'ok',
    // A saved plan reads before its first write, too: what lists show later is about what follows.
    (all, read) => shown?.(all, from === 'file' ? read - 1 : read) ?? all,
  );
  const account = await applyPlan({
    plan,
    ...(from === 'file' ? {} : { observed: start, replan: planOn }),
    ...(isDeletedElsewhere === undefined ? {} : { isDeletedElsewhere }),
    reader: service.reader,
    writer: service.writer,
    journal: memoryJournal(),
    clock: { now: () => Date.parse(at), sleep: async () => {} },
    stop: new AbortController().signal,
    onEvent: () => {},
  });
  return {
    exit: exitForRun(account, plan),
    account,
    text: [
      ...account.problems.map((each) => renderProblem(each, plainStyle)),
      paintRunSummary(account, plainStyle),
    ].join('\n'),
  };
}

const after =
  (show: Shown): Shown =>
  (all, read) =>
    read < 0 ? all : show(all, read);
const empty = after(() => []);
const without = (...ids: readonly number[]) =>
  after((all) => all.filter((host) => !ids.includes(Number(host.id))));
const named = (account: RunSummary) =>
  [...new Set(account.problems.flatMap(({ hostIds = [] }) => hostIds))].toSorted();

const steps: readonly (readonly [string, GivenEntry])[] = [
  ['rename', { id: 1, name: 'NEW' }],
  ['move', { id: 1, group: 'Berlin' }],
  ['install', { id: 1, antivirus: true }],
  ['deletion', { id: 1, ensure: 'absent' }],
];
/** An empty list proves no deletion, because hosts that nobody deleted are missing too. */
const namedOnEmpty = (kind: string) => (kind === 'deletion' ? ['1', '2', '3', '4'] : ['1']);
const doors = ['file', 'desired state'] as const;

describe.each(doors)('a run of a plan from a %s is not verified', (from) => {
  it.each(steps)('if a %s succeeded, nothing was done and the list is empty', async (kind, entry) => {
    const { exit, account, text } = await apply([entry], from, { does: 'nothing', shown: empty });
    expect([exit, account.converged, named(account)]).toEqual([8, false, namedOnEmpty(kind)]);
    expect(text).not.toContain('Verified');
    expect(text).toContain('host 1');
  });

  it('if a deletion succeeded, and the host and another one are missing from the list', async () => {
    const entries: readonly GivenEntry[] = [{ id: 1, ensure: 'absent' }];
    const { exit, account } = await apply(entries, from, { does: 'nothing', shown: without(1, 3) });
    expect([exit, named(account)]).toEqual([8, ['1', '3']]);
    expect(account.problems[0]?.message).toContain('lacks "C" (3), which this run did not delete');
  });

  it.each(steps.filter(([kind]) => kind !== 'install'))(
    'if a %s succeeded, nothing was done, and the list shows that',
    async (_, entry) => {
      const { exit, account } = await apply([entry], from, { does: 'nothing' });
      expect([exit, named(account)]).toEqual([8, ['1']]);
    },
  );
});

describe.each(doors)('a run of a plan from a %s is verified', (from) => {
  it.each(steps)('if a %s was made, and the list has all hosts', async (_, entry) => {
    const { exit, account, text } = await apply([entry], from, { does: 'everything' });
    expect([exit, account.problems]).toEqual([0, []]);
    expect(text).toMatch(/Verified|Asked for/);
  });

  it('if it deletes the last host, and the list is empty', async () => {
    const only: readonly GivenHost[] = [{ id: 1, name: 'A' }];
    const { exit } = await apply([{ id: 1, ensure: 'absent' }], from, { does: 'everything' }, only);
    expect(exit).toBe(0);
  });

  it('if the process deletes another host in another way', async () => {
    const lie: Lie = { does: 'everything', shown: without(1, 3), isDeletedElsewhere: (id) => id === '3' };
    expect((await apply([{ id: 1, ensure: 'absent' }], from, lie)).exit).toBe(0);
  });
});

describe('a deletion that someone else seems to have made before a saved plan is applied', () => {
  const entries: readonly GivenEntry[] = [{ id: 1, ensure: 'absent' }];

  it('is not verified if the list is shorter than the deletion explains', async () => {
    for (const shown of [() => [], (all: Parameters<Shown>[0]) => all.filter(({ id }) => id === '2')]) {
      const { exit, account } = await apply(entries, 'file', { does: 'nothing', shown });
      expect([exit, named(account), account.sent.delete]).toEqual([8, ['1'], 0]);
    }
  });

  it('is verified if all other hosts are in the list', async () => {
    const shown: Shown = (all) => all.filter(({ id }) => id !== '1');
    const { exit, account } = await apply(entries, 'file', { does: 'nothing', shown });
    expect([exit, account.sent.delete]).toEqual([0, 0]);
  });
});

describe('anti-virus in a verification', () => {
  it('that was removed from another host meanwhile is a difference', async () => {
    const shown = after((all) =>
      all.map((host) =>
        host.id === '2' ? { ...host, antivirus: { installed: false, supported: true } } : host,
      ),
    );
    const entries: readonly GivenEntry[] = [
      { id: 1, name: 'NEW' },
      { id: 2, antivirus: true },
    ];
    const { exit, account } = await apply(entries, 'desired state', { does: 'everything', shown });
    expect([exit, account.problems.map((each) => each.message)]).toEqual([
      8,
      ['host 2 still needs: the anti-virus'],
    ]);
  });
});

describe('a name that only looks like a temporary one', () => {
  const forged: readonly GivenHost[] = [
    { id: 1, name: 'A' },
    { id: 2, name: 'B ~rampart~abcdef' },
  ];

  it.each(doors)('is a warning before and after a run from a %s, and changes no exit code', async (from) => {
    const { exit, account, text } = await apply([{ id: 1, name: 'C' }], from, { does: 'everything' }, forged);
    expect([exit, account.converged]).toEqual([0, true]);
    expect(account.problems).toMatchObject([{ code: 'lookalike-name', severity: 'warning', hostIds: ['2'] }]);
    expect(text).toContain('B ~rampart~abcdef');
    expect(text).toContain('Verified');
  });
});
