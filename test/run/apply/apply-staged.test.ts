import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { ApplyInputs } from '../../../src/run/apply/apply-plan.ts';
import { applyStaged, type Canary } from '../../../src/run/apply/apply-staged.ts';
import { givenDesired } from '../../given/desired.ts';
import { type FakeCall, type Fate, fakeService } from '../../given/fake-service.ts';
import { at, givenFleet } from '../../given/fleet.ts';
import { memoryJournal } from '../../given/memory-journal.ts';

const hosts = ['A', 'B', 'C', 'D', 'E', 'F'].map((name, index) => ({ id: index + 1, name }));
const swapAndFresh = [
  { id: 1, name: 'B' },
  { id: 2, name: 'A' },
  ...hosts.slice(2).map(({ id, name }) => ({ id, name: `${name}-new` })),
];

async function staged(canary: Canary, fate?: (call: FakeCall) => Fate) {
  const observed = givenFleet(hosts);
  const planOn = (fleet: typeof observed) =>
    makePlan({
      desired: givenDesired(swapAndFresh),
      observed: fleet,
      account: { companyId: '1', service: 'x' },
      now: at,
    });
  const service = fakeService(observed, fate);
  const counts: string[] = [];
  const inputs: ApplyInputs = {
    plan: planOn(observed),
    observed,
    replan: planOn,
    reader: service.reader,
    writer: service.writer,
    journal: memoryJournal(),
    clock: { now: () => 0, sleep: async () => {} },
    stop: new AbortController().signal,
    onEvent: (event) => {
      if (event.type === 'step_end') counts.push(`${event.done} of ${event.of}`);
    },
  };
  return { account: await applyStaged(inputs, canary), service, counts };
}

describe('a canary', () => {
  it('that fails stops the run before the rest', async () => {
    const { account, service } = await staged({ kind: 'count', count: 2 }, (call) =>
      call.kind === 'rename' && call.to === 'A' ? { status: 400 } : 'ok',
    );
    expect(service.calls.some((call) => call.includes('-new'))).toBe(false);
    expect(account.steps.filter((step) => step.outcome === 'not-started')).toHaveLength(4);
  });

  it('goes first in whole components, is verified, and the rest follows', async () => {
    const { account, service, counts } = await staged({ kind: 'count', count: 1 });
    expect(service.calls.slice(0, 4)).toEqual([
      expect.stringContaining('rename 1'),
      'rename 2 A',
      'rename 1 B',
      'fleet',
    ]);
    expect(service.calls).toHaveLength(9);
    expect(account).toMatchObject({ converged: true, sent: { rename: 7 } });
    expect(account.steps).toHaveLength(7);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7].map((done) => `${done} of 7`));
  });
  it('may be a share', async () => {
    const { service } = await staged({ kind: 'share', percent: 50 });
    expect(service.calls.indexOf('fleet')).toBe(4);
  });
});
