import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountEvent } from '../../../../src/server/accounts/decisions/account-event.ts';
import type { AccountRules, AccountState } from '../../../../src/server/accounts/decisions/account-state.ts';
import { type Decision, decide } from '../../../../src/server/accounts/decisions/decide.ts';
import type { StoredPlan } from '../../../../src/server/plans/decisions/stored-plan.ts';
import { casesOf } from '../../../given/cases.ts';

const size = 4;
const limit = 2;
const minute = 60_000;
const day = 1440 * minute;

type Step =
  | { readonly kind: 'edit' | 'by-hand'; readonly host: number; readonly to: number }
  | { readonly kind: 'approve' | 'reject'; readonly which: number }
  | { readonly kind: 'run'; readonly how: 'done' | 'failed' | 'in_doubt' }
  | {
      readonly kind:
        | 'check'
        | 'late-check'
        | 'check-fails'
        | 'stop'
        | 'lift'
        | 'pause'
        | 'expire'
        | 'mode'
        | 'doubt';
    }
  | { readonly kind: 'wait'; readonly minutes: number };

const host = fc.integer({ min: 0, max: size - 1 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('edit', 'by-hand'),
        host,
        to: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constantFrom('check', 'check', 'check', 'late-check', 'check-fails') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('approve', 'approve', 'reject'),
        which: fc.integer({ min: 0, max: 2 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('run'),
        how: fc.constantFrom('done', 'done', 'failed', 'in_doubt'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('stop', 'lift', 'pause', 'expire', 'mode', 'doubt') }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 180 }) }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
);

const effect = (at: number, from: number, to: number) => `${at}: ${from} -> ${to}`;

/** One account with random changes of its file, fleet, people, checks and runs. The store carries out the decisions. */
function givenWorld(mode: AccountRules['mode']) {
  const fleet: number[] = Array.from({ length: size }, () => 0);
  const wanted: number[] = [...fleet];
  const approved = new Set<string>();
  const rejected = new Map<string, number>();
  const plans: StoredPlan[] = [];
  let rules: AccountRules = { mode, cadenceMs: 10 * minute, isPaused: false, isInRollout: false };
  let now = day;
  let commit = 0;
  /** An install is in doubt: plans ask its host to report its status. */
  let isInDoubt = false;
  let ids = 0;
  let state: AccountState = {
    name: 'berlin',
    version: 1,
    health: null,
    hasIgnored: false,
    commit: null,
    failure: null,
    hold: null,
    plan: null,
    rejections: [],
    run: null,
    checkBeganAt: null,
  };
  let latest: AccountEvent | undefined;
  const written: string[] = [];

  const happens = (event: AccountEvent): Decision | undefined => {
    const before = state;
    const decided = decide(state, event, rules, now);
    if (!decided.ok) return undefined;
    state = decided.value.next;
    for (const command of decided.value.commands) {
      if (command.kind === 'add-plan') plans.unshift(command.plan);
      if (command.kind === 'add-run') {
        // One run of an account at a time, and none of a plan that nobody may apply.
        expect(before.run).toBeNull();
        expect(state.plan?.id).toBe(command.plan);
        ids += 1;
        state = { ...state, run: { id: `run-${ids}`, plan: command.plan, state: 'queued' } };
      }
      if (command.kind === 'record-check' && 'beganAt' in event)
        state = { ...state, checkBeganAt: event.beganAt };
    }
    for (const [index, plan] of plans.entries())
      if (plan.id === state.plan?.id) plans[index] = state.plan;
      else if (plan.state === 'waiting' || plan.state === 'approved')
        plans[index] = { ...plan, state: 'stale', replacedBy: state.plan?.id ?? null };
    state = { ...state, version: state.version + 1 };
    return decided.value;
  };
  const checkEvent = (): AccountEvent => {
    const units = new Map<string, readonly string[]>();
    for (const [at, from] of fleet.entries()) {
      const to = wanted[at] ?? 0;
      if (from !== to) units.set(effect(at, from, to), [String(at)]);
    }
    const changes = units.size;
    const exceeds = changes > limit;
    ids += 1;
    const refreshes = isInDoubt ? 1 : 0;
    const digest = [...units.keys(), ...(isInDoubt ? ['refresh'] : [])].join(', ');
    const numbers = exceeds ? [{ limit: 'rename' as const, value: changes, allowed: limit }] : [];
    return {
      kind: 'check-done',
      beganAt: now,
      holdBefore: state.hold,
      commit: `c${commit}`,
      author: null,
      found: {
        plan:
          changes + refreshes === 0
            ? null
            : {
                id: `plan-${ids}`,
                checksum: digest,
                changeDigest: digest,
                contentDigest: digest,
                source: 'files',
                author: null,
                createdAt: new Date(now),
                expiresAt: new Date(now + day),
                changes,
                calls: changes + refreshes,
                required: { approvals: 1, notAuthor: false, numbers },
                terms: { account: 'a', units, windows: [], freezes: [], counts: { rename: changes } },
                exceeds,
              },
        blocked: null,
        differences: changes === 0 ? 'none' : 'some',
        installs: isInDoubt ? 'in_doubt' : 'none',
      },
      refusals: { open: null, found: null },
    };
  };
  const check = () => {
    now += 1;
    if (state.run !== null && state.run.state !== 'queued') return;
    latest = checkEvent();
    happens(latest);
    expectsExit();
  };
  /** Every account is as desired, or has a plan that someone can act on, or a run, or a true reason. */
  const expectsExit = () => {
    const { health, plan, run, failure, rejections } = state;
    // Nobody is asked to approve nothing.
    if (plan?.state === 'waiting') {
      const left = new Set(plan.later?.leftOut);
      const units = [...(plan.terms?.units.values() ?? [])];
      expect(units.some((hosts) => hosts.every((each) => !left.has(each)))).toBe(true);
    }
    const differs = fleet.some((from, at) => from !== wanted[at]);
    if (health === 'converged' || health === 'paused') expect(differs).toBe(false);
    if (!differs || rules.mode === 'observe') return;
    const hasReason = failure !== null || rejections.some(({ expiresAt }) => expiresAt.getTime() > now);
    expect(plan !== null || run !== null || hasReason).toBe(true);
    if (health === 'waiting') expect(plan !== null || run !== null).toBe(true);
  };
  const decides = (which: number, decision: 'approved' | 'rejected') => {
    const plan = plans[which];
    if (plan === undefined) return;
    const numbers = Object.fromEntries(plan.required.numbers.map(({ limit: of, value }) => [of, value]));
    const made = happens({
      kind: 'decided',
      plan,
      approver: { subject: { kind: 'person', id: 'ada', name: 'Ada' }, email: null, isApprover: true },
      request: {
        decision,
        checksum: plan.checksum,
        numbers: decision === 'approved' ? numbers : {},
        via: 'api',
      },
    });
    if (made === undefined) return;
    for (const each of plan.terms?.units.keys() ?? [])
      if (decision === 'approved') approved.add(each);
      else rejected.set(each, plan.expiresAt.getTime());
  };
  const run = (how: 'done' | 'failed' | 'in_doubt') => {
    const { run: open, plan } = state;
    if (open === null || (rules.isPaused && open.state === 'queued')) return;
    const leftOut = plan?.later?.leftOut ?? [];
    now += 1;
    const end = {
      run: open,
      state: how,
      hasBegun: true,
      hasChanged: true,
      reason: 'x',
      at: new Date(now).toISOString(),
    };
    const begun = happens({ kind: 'run-begins', run: open.id, leftOut, refusal: null });
    if (begun === undefined || plan === null) {
      const isStopped = open.state === 'stopping';
      happens({
        kind: 'run-ended',
        isForNextPlan: false,
        reason: 'x',
        end: { ...end, state: isStopped ? 'stopped' : 'failed', hasBegun: false, hasChanged: false },
      });
      return;
    }
    let done = 0;
    for (const [unit, hosts] of plan.terms?.units ?? []) {
      const [at = 0] = hosts.map(Number);
      const to = Number(unit.split('-> ')[1]);
      // A host that has changed is left out, like one that the check left out.
      if (unit !== effect(at, fleet[at] ?? 0, to) || leftOut.includes(String(at))) continue;
      if (how !== 'done' && done > 0) break;
      const isWithin = rules.mode === 'correct' && plan.changes <= limit && plan.approvals.length === 0;
      // Nothing is sent without an approval, and limits never approve what someone rejected.
      if (!approved.has(unit)) expect(isWithin).toBe(true);
      if (isWithin) expect(rejected.get(unit) ?? 0).toBeLessThanOrEqual(now);
      written.push(unit);
      fleet[at] = to;
      done += 1;
    }
    if (how === 'done') isInDoubt = false;
    const state_ = done === 0 && plan.changes > 0 && how === 'done' ? 'failed' : how;
    happens({
      kind: 'run-ended',
      reason: null,
      isForNextPlan: false,
      end: { ...end, state: state_, hasBegun: done > 0, hasChanged: done > 0 },
    });
    expect(state.run).toBeNull();
  };
  return {
    written,
    state: () => state,
    rules: () => rules,
    step(step: Step) {
      switch (step.kind) {
        case 'edit':
          commit += 1;
          wanted[step.host] = step.to;
          return;
        case 'by-hand':
          fleet[step.host] = step.to + 10;
          return;
        case 'check':
          return check();
        case 'late-check': {
          const before = state;
          // A check that began before the stored one changes nothing.
          if (latest !== undefined && state.checkBeganAt !== null) {
            happens(latest);
            expect({ ...state, version: 0 }).toEqual({ ...before, version: 0 });
          }
          return;
        }
        case 'check-fails': {
          const { plan, hold } = state;
          now += 1;
          happens({
            kind: 'check-failed',
            beganAt: now,
            failure: { code: 'network', message: 'x', hint: 'y' },
          });
          expect(state).toMatchObject({ plan, hold, health: 'failing' });
          return;
        }
        case 'approve':
          return decides(step.which, 'approved');
        case 'reject':
          return decides(step.which, 'rejected');
        case 'run':
          return run(step.how);
        case 'stop':
          if (state.run !== null) happens({ kind: 'stop-asked', run: state.run.id });
          return;
        case 'lift':
          happens({ kind: 'hold-lifted' });
          rejected.clear();
          expect([state.hold, state.rejections]).toEqual([null, []]);
          return;
        case 'doubt':
          isInDoubt = !isInDoubt;
          return;
        case 'pause':
          rules = { ...rules, isPaused: !rules.isPaused };
          return;
        case 'mode':
          rules = { ...rules, mode: rules.mode === 'correct' ? 'propose' : 'correct' };
          return;
        case 'wait':
          now += step.minutes * minute;
          return;
        case 'expire':
          now += day;
          happens({ kind: 'clock' });
          expect(state.plan === null || state.plan.state === 'running').toBe(true);
      }
    },
    /** People approve what waits, and nothing fails any more. */
    settle() {
      rules = { ...rules, isPaused: false };
      happens({ kind: 'hold-lifted' });
      rejected.clear();
      for (let round = 0; round < 4; round += 1) {
        if (state.run?.state === 'stopping') run('done');
        check();
        if (state.plan?.state === 'waiting')
          decides(
            plans.findIndex(({ id }) => id === state.plan?.id),
            'approved',
          );
        run('done');
      }
      check();
      return fleet.every((each, at) => each === wanted[at]);
    },
  };
}

const cases = casesOf(3_000);

describe('the decisions about an account, in any order of edits, checks, people and runs', () => {
  it.each(['propose', 'correct'] as const)('never break a law in mode %s, and finally converge', (mode) => {
    let applied = 0;
    fc.assert(
      fc.property(steps, (history) => {
        const world = givenWorld(mode);
        for (const step of history) world.step(step);
        expect(world.settle()).toBe(true);
        expect(world.state()).toMatchObject({ health: 'converged', plan: null, run: null, failure: null });
        applied += world.written.length;
      }),
      cases,
    );
    expect(applied).toBeGreaterThan(cases.numRuns);
  });
});
