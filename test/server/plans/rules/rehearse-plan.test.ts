import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import type { Pace } from '../../../../src/core/plan/types/forecast.ts';
import type { HostWithFacts } from '../../../../src/server/hosts/records/hosts.ts';
import type { RehearsalResult } from '../../../../src/server/plans/records/rehearsals.ts';
import { rehearsePlanJob } from '../../../../src/server/plans/rules/rehearse-plan.ts';
import { givenDesired, noLimits } from '../../../given/desired.ts';
import { at, givenFleet } from '../../../given/fleet.ts';
import { inAWhile } from '../../jobs/given.ts';

const planOf = (count: number, pace?: Pace) =>
  makePlan({
    desired: givenDesired(
      Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `NEW-${index + 1}` })),
      noLimits,
    ),
    observed: givenFleet(
      Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `OLD-${index + 1}` })),
    ),
    account: { companyId: '1000', service: 'https://remote.example.com' },
    now: at,
    ...(pace === undefined ? {} : { pace }),
  });

const hostOf = (id: number, name = `OLD-${id}`): HostWithFacts => ({
  account: 'berlin',
  host_id: String(id),
  name,
  group: null,
  state: 'online',
  drifted: false,
  seen_at: new Date(at),
  facts: {},
});

interface Given {
  readonly document?: string | undefined;
  readonly hosts?: readonly HostWithFacts[];
  readonly isAsked?: boolean;
  readonly mostCalls?: number;
  readonly signal?: AbortSignal;
}

/** The job on a store in memory, with the stored result. */
async function rehearse({
  hosts = [1, 2].map((id) => hostOf(id)),
  isAsked = true,
  mostCalls,
  signal,
  ...given
}: Given = {}) {
  const document = 'document' in given ? given.document : printPlan(planOf(2));
  const asked: string[] = [];
  const ended: { digest: string; result: RehearsalResult }[] = [];
  const store = {
    rehearsals: {
      begin: async (id: string) => {
        asked.push(`begin ${id}`);
        return isAsked ? {} : undefined;
      },
      end: async (id: string, digest: string, result: RehearsalResult) => {
        await inAWhile();
        asked.push(`end ${id}`);
        ended.push({ digest, result });
      },
    },
    plans: {
      find: async (id: string, visible: string) =>
        visible === 'all' ? { id, account: 'berlin' } : undefined,
      document: async (_: string, visible: string) => (visible === 'all' ? document : undefined),
    },
    hosts: {
      digest: async (account: string) => {
        asked.push(`digest ${account}`);
        return 'd1';
      },
      all: async (account: string, limit: number) => {
        asked.push(`hosts ${account} ${limit}`);
        return hosts;
      },
    },
  };
  const parts = { store, ...(mostCalls === undefined ? {} : { mostCalls }) };
  await rehearsePlanJob('p1', parts as never, signal ?? new AbortController().signal);
  return { asked, result: ended[0]?.result, digest: ended[0]?.digest };
}

describe('a rehearsal without a database', () => {
  it('reports both runs with their steps and calls, for the fleet that was read before', async () => {
    const { asked, result, digest } = await rehearse();
    expect(asked).toEqual(['begin p1', 'digest berlin', 'hosts berlin 100001', 'end p1']);
    expect(digest).toBe('d1');
    expect(result).toMatchObject({
      failure: null,
      more: 0,
      runs: [
        {
          kind: 'without_faults',
          converged: true,
          steps: { total: 2, done: 2, failed: 0, in_doubt: 0, skipped: 0 },
          calls: 2,
        },
        { kind: 'with_faults', converged: true, steps: { total: 2, done: 2 } },
      ],
    });
    const [plain] = result?.runs ?? [];
    expect(plain?.conflicts).toMatchObject({ answers: 0 });
    expect(Number.isInteger(plain?.seconds)).toBe(true);
  });

  it('does nothing if nobody waits for it', async () => {
    const { asked, result } = await rehearse({ isAsked: false });
    expect([asked, result]).toEqual([['begin p1'], undefined]);
  });

  it('refuses a plan that no longer fits the fleet, and counts the other reasons', async () => {
    const one = await rehearse({ hosts: [hostOf(1, 'OTHER'), hostOf(2)] });
    expect(one.result).toMatchObject({
      runs: [],
      findings: [],
      failure: { code: 'stale-plan', hint: 'plan again' },
    });
    expect(one.result?.failure?.message).toMatch(/^the plan no longer fits the fleet: .*OTHER/);
    expect(one.result?.failure?.message).not.toContain('more)');
    const two = await rehearse({ hosts: [hostOf(1, 'OTHER'), hostOf(2, 'ANOTHER')] });
    expect(two.result?.failure?.message).toMatch(/ \(and 1 more\)$/);
  });

  it('refuses a plan that was removed, or whose document is damaged', async () => {
    expect((await rehearse({ document: undefined })).result?.failure).toMatchObject({
      code: 'stale-plan',
      message: 'the plan no longer exists',
    });
    const damaged = printPlan(planOf(2)).replace('NEW-1', 'NEW-9');
    expect((await rehearse({ document: damaged })).result?.failure).not.toBeNull();
  });

  it('refuses more hosts than a worker can hold, and reads no more than necessary to find out', async () => {
    const many = Array.from({ length: 100_001 }, () => hostOf(1));
    const { result, asked } = await rehearse({ hosts: many });
    expect(result?.failure).toMatchObject({
      code: 'usage',
      message: 'the server rehearses plans of at most accounts of 100000 hosts',
      hint: 'download the plan, and run: rampart plan rehearse plan.json',
    });
    expect(asked).toContain('hosts berlin 100001');
    const most = await rehearse({ hosts: many.slice(1) });
    expect(most.result?.failure).toMatchObject({ code: 'stale-plan' });
  });

  it('refuses more calls than a worker can make, before it reads the hosts', async () => {
    const { result, asked } = await rehearse({ mostCalls: 1 });
    expect(result?.failure?.message).toBe('the server rehearses plans of at most 1 calls');
    expect(asked).not.toContain('hosts berlin 100001');
    expect((await rehearse({ mostCalls: 2 })).result?.failure).toBeNull();
  });

  it('takes as long as the measured pace predicts', async () => {
    const [plain] = (await rehearse()).result?.runs ?? [];
    const document = printPlan(planOf(2, { rate: 0.01, latency: 0.1 }));
    const [slow] = (await rehearse({ document })).result?.runs ?? [];
    expect(plain?.seconds).toBeLessThan(10);
    expect(slow?.seconds).toBeGreaterThanOrEqual(50);
    expect(slow?.seconds).toBeLessThan(500);
  });

  it('stores no result after it was stopped', async () => {
    const stopped = AbortSignal.abort(new Error('stopping'));
    await expect(rehearse({ signal: stopped })).rejects.toThrow('stopping');
  });
});
