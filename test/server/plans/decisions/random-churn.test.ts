import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostId, ObservedHost } from '../../../../src/core/model/observed.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import { hostIdsOf } from '../../../../src/core/plan/types/step.ts';
import { problem } from '../../../../src/core/problem/problem.ts';
import { applyPlan } from '../../../../src/run/apply/apply-plan.ts';
import { keptUnits, termsOf } from '../../../../src/server/plans/decisions/kept-units.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { fakeService } from '../../../given/fake-service.ts';
import { at, givenFleet, hostId } from '../../../given/fleet.ts';
import { memoryJournal } from '../../../given/memory-journal.ts';

const size = 6;
const ids = Array.from({ length: size }, (_, index) => index + 1);
const required = { approvals: 1, notAuthor: false, numbers: [] };
const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'];

type Event =
  | { readonly kind: 'edit'; readonly host: number; readonly to: number }
  | { readonly kind: 'swap' | 'delete' | 'by hand'; readonly host: number; readonly to: number }
  | { readonly kind: 'enroll' | 'check' | 'run' }
  | { readonly kind: 'approve'; readonly which: number };

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom('edit' as const, 'swap' as const, 'delete' as const, 'by hand' as const),
      host: fc.integer({ min: 0, max: size - 1 }),
      to: fc.integer({ min: 0, max: names.length - 1 }),
    }),
    fc.record({
      kind: fc.constantFrom('check' as const, 'run' as const, 'check' as const, 'enroll' as const),
    }),
    fc.record({ kind: fc.constant('approve' as const), which: fc.integer({ min: 0, max: 3 }) }),
  ),
  { minLength: 8, maxLength: 40 },
);

interface Open {
  readonly plan: Plan;
  readonly isApproved: boolean;
  readonly leftOut: readonly string[];
}

/** An account whose file and fleet change at random, with its checks, its approvals and its runs. */
function givenAccount() {
  const service = fakeService(
    givenFleet(
      ids.map((id) => ({ id, name: names[id - 1] ?? '' })),
      {},
    ),
  );
  const wanted = new Map<number, GivenEntry>();
  const replaced: Plan[] = [];
  let open: Open | undefined;
  let enrolled = 100;
  const planNow = async () => {
    const read = await service.reader.read({ antivirus: false });
    if (!read.ok) throw new Error('no list');
    const entries = [...wanted.values()].filter(({ id }) => service.hosts.has(hostId(id ?? 0)));
    return makePlan({
      desired: givenDesired(entries, noLimits),
      observed: read.value,
      account: { companyId: '1', service: 'emulator' },
      now: at,
    });
  };
  const kept = (plan: Plan, later: Plan) =>
    keptUnits({ terms: termsOf(plan), required }, { terms: termsOf(later), required });
  const snapshot = () => new Map([...service.hosts].map(([id, { name }]) => [id, name]));
  return {
    service,
    wanted,
    async check() {
      const later = await planNow();
      if (!later.applicable || later.steps.length === 0) {
        open = undefined;
        return;
      }
      const left = open?.isApproved === true ? kept(open.plan, later) : undefined;
      if (open !== undefined && left !== undefined) {
        open = { ...open, leftOut: left.leftOut };
        return;
      }
      if (open !== undefined) replaced.unshift(open.plan);
      open = { plan: later, isApproved: false, leftOut: [] };
    },
    approve(which: number) {
      const plan = which === 0 ? open?.plan : replaced[which - 1];
      if (plan === undefined || open === undefined || open.isApproved) return;
      const left = which === 0 ? { leftOut: [] } : kept(plan, open.plan);
      if (left === undefined) return;
      open = { plan, isApproved: true, leftOut: left.leftOut };
    },
    enroll() {
      enrolled += 1;
      const [template] = service.hosts.values();
      if (template === undefined) return;
      const host: ObservedHost = { ...template, id: hostId(enrolled), name: `NEW-${enrolled}` };
      service.hosts.set(host.id, host);
    },
    /** What the run changed, and the plan that was approved. */
    async run() {
      if (open?.isApproved !== true) return undefined;
      const { plan, leftOut } = open;
      open = undefined;
      const before = snapshot();
      await applyPlan({
        plan,
        reader: service.reader,
        writer: service.writer,
        journal: memoryJournal(),
        clock: { now: () => 0, sleep: async () => {} },
        stop: new AbortController().signal,
        onEvent: () => {},
        leftOut: leftOut.map((id) => problem('stale-plan', 'x', { hostIds: [id as HostId] })),
      });
      const after = snapshot();
      const changes = [...before].flatMap(([id, name]) =>
        after.has(id) && after.get(id) === name ? [] : [effectOf(id, name, after.get(id) ?? null)],
      );
      return { changes, plan, leftOut, before, after };
    },
  };
}

const effectOf = (id: string, from: string | null, to: string | null) => JSON.stringify([id, from, to]);

/** What the plan does to each host in the end; null: it deletes the host. */
function effectsIn({ steps }: Plan): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'rename') return [effectOf(step.hostId, step.expects.name, step.to)];
    if (step.kind !== 'delete') return [];
    return step.hosts.map(({ hostId: id, expects }) => effectOf(id, expects.name, null));
  });
}

describe('an account with random edits, checks, approvals and runs', () => {
  it('never gets a change that nobody approved, and gets every approved change that is still the same', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(events, async (what) => {
        const account = givenAccount();
        const { service, wanted } = account;
        for (const event of what) {
          switch (event.kind) {
            case 'edit':
              wanted.set(event.host, { id: event.host + 1, name: `N-${names[event.to]}-${event.host}` });
              break;
            case 'swap': {
              const other = (event.host + 1) % size;
              wanted.set(event.host, { id: event.host + 1, name: names[other] ?? '' });
              wanted.set(other, { id: other + 1, name: names[event.host] ?? '' });
              break;
            }
            case 'delete':
              wanted.set(event.host, { id: event.host + 1, ensure: 'absent' });
              break;
            case 'by hand': {
              const host = service.hosts.get(hostId(event.host + 1));
              if (host !== undefined)
                service.hosts.set(host.id, { ...host, name: `HAND-${event.host}-${event.to}` });
              break;
            }
            case 'enroll':
              account.enroll();
              break;
            case 'check':
              await account.check();
              break;
            case 'approve':
              account.approve(event.which);
              break;
            case 'run': {
              const ran = await account.run();
              if (ran === undefined) break;
              applied += ran.changes.length;
              for (const change of ran.changes) expect(effectsIn(ran.plan)).toContain(change);
              const left = new Set<string>(ran.leftOut);
              for (const id of left) expect(ran.after.get(id as HostId)).toBe(ran.before.get(id as HostId));
              const isAsPlanned = ran.plan.steps.every((step) =>
                (step.kind === 'rename' || step.kind === 'temporary-rename'
                  ? [step.expects]
                  : step.hosts.map(({ expects }) => expects)
                ).every(({ hostId: id, name }) => ran.before.has(id) && ran.before.get(id) === name),
              );
              if (isAsPlanned && left.size === 0)
                expect(ran.changes.toSorted()).toEqual([...effectsIn(ran.plan)].toSorted());
              expect(new Set(ran.plan.steps.flatMap(hostIdsOf)).size).toBeGreaterThanOrEqual(
                ran.changes.length,
              );
            }
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(applied).toBeGreaterThan(30);
  });
});
