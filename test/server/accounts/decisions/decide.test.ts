import { describe, expect, it } from 'vitest';
import { problem } from '../../../../src/core/problem/problem.ts';
import type { AccountEvent, CheckDone } from '../../../../src/server/accounts/decisions/account-event.ts';
import {
  type AccountHold,
  type AccountRules,
  type AccountState,
  type Command,
  carriedOut,
  isStoreCommand,
  type Rejection,
} from '../../../../src/server/accounts/decisions/account-state.ts';
import { decide } from '../../../../src/server/accounts/decisions/decide.ts';
import { dueAt } from '../../../../src/server/accounts/decisions/due.ts';
import type { HeldEnd } from '../../../../src/server/accounts/decisions/hold.ts';
import { rejectedBefore } from '../../../../src/server/accounts/decisions/rejected.ts';
import {
  countWaiting,
  pausedHealth,
  whomItWaitsFor,
} from '../../../../src/server/accounts/decisions/waiting-for.ts';
import type { StoredApproval, StoredPlan } from '../../../../src/server/plans/decisions/stored-plan.ts';

const minute = 60_000;
const day = 1440 * minute;
const now = 20_000 * day;
const ago = (ms: number) => new Date(now - ms);
const ahead = (ms: number) => new Date(now + ms);

const person = (id: string) => ({ kind: 'person', id, name: id }) as const;
const approvalBy = (id: string, more: Partial<StoredApproval> = {}): StoredApproval => ({
  by: person(id),
  at: ago(minute),
  decision: 'approved',
  numbers: {},
  comment: null,
  via: 'api',
  ...more,
});

/** The units of a plan that renames these hosts. */
const termsOf = (hosts: readonly string[]): NonNullable<StoredPlan['terms']> => ({
  account: 'a',
  units: new Map(hosts.map((host) => [`${host}: OLD -> NEW`, [host]])),
  windows: [],
  freezes: [],
  counts: { rename: hosts.length },
});

function planOf(hosts: readonly string[], more: Partial<StoredPlan> = {}): StoredPlan {
  const digest = hosts.join(' ');
  return {
    id: `plan of ${digest}`,
    checksum: digest,
    changeDigest: digest,
    contentDigest: digest,
    state: 'waiting',
    reason: null,
    replacedBy: null,
    source: 'files',
    author: null,
    createdAt: ago(minute),
    expiresAt: ahead(day),
    changes: hosts.length,
    calls: hosts.length,
    required: { approvals: 1, notAuthor: false, numbers: [] },
    later: null,
    approvals: [],
    terms: termsOf(hosts),
    ...more,
  };
}

type Found = NonNullable<CheckDone['found']['plan']>;
function foundOf(hosts: readonly string[], more: Partial<Found> = {}): Found {
  const { state: _s, reason: _r, replacedBy: _b, later: _l, approvals: _a, ...plan } = planOf(hosts);
  return { ...plan, id: `new plan of ${hosts.join(' ')}`, exceeds: false, createdAt: ago(0), ...more };
}

function checkOf(plan: Found | null, more: Partial<CheckDone> = {}): CheckDone {
  return {
    kind: 'check-done',
    beganAt: now - 1_000,
    holdBefore: null,
    commit: 'c1',
    author: null,
    found: { plan, blocked: null, differences: plan === null ? 'none' : 'some', installs: 'none' },
    refusals: { open: null, found: null },
    ...more,
  };
}

const stateOf = (more: Partial<AccountState> = {}): AccountState => ({
  name: 'berlin',
  version: 1,
  health: 'converged',
  hasIgnored: false,
  commit: 'c1',
  failure: null,
  hold: null,
  plan: null,
  rejections: [],
  run: null,
  checkBeganAt: null,
  ...more,
});

const rulesOf = (more: Partial<AccountRules> = {}): AccountRules => ({
  mode: 'correct',
  cadenceMs: 10 * minute,
  isPaused: false,
  isInRollout: false,
  ...more,
});

const holdOf = (kind: AccountHold['kind'], more: Partial<AccountHold> = {}): AccountHold => ({
  kind,
  run: 'run-1',
  at: ago(minute).toISOString(),
  commit: 'c1',
  runs: kind === 'failed-runs' ? 1 : 0,
  isInDoubt: false,
  reason: '',
  ...more,
});

const rejectionOf = (hosts: readonly string[], more: Partial<Rejection> = {}): Rejection => ({
  ...planOf(hosts),
  by: 'grace',
  ...more,
});

/** A plan that this version of the server can't read. */
function withoutTerms<P extends { readonly terms?: StoredPlan['terms'] }>(plan: P): Omit<P, 'terms'> {
  const { terms: _terms, ...rest } = plan;
  return rest;
}

interface Case {
  readonly state?: Partial<AccountState>;
  readonly rules?: Partial<AccountRules>;
  readonly event: AccountEvent;
  /** What must hold of the state afterwards, of the kinds of the commands, or of the problem. */
  readonly next?: object;
  readonly kinds?: readonly string[];
  /** The commands, as far as each of these says. */
  readonly commands?: readonly object[];
  readonly refused?: string;
}

function expectDecision({ state, rules, event, next, kinds, commands, refused }: Case) {
  const decided = decide(stateOf(state), event, rulesOf(rules), now);
  if (!decided.ok) return expect(decided.problems.map(({ code }) => code)).toEqual([refused]);
  expect(refused).toBeUndefined();
  if (next !== undefined) expect(decided.value.next).toMatchObject(next);
  if (kinds !== undefined) expect(decided.value.commands.map(({ kind }) => kind)).toEqual(kinds);
  if (commands !== undefined) expect(decided.value.commands).toMatchObject(commands);
}

const decides = (cases: Readonly<Record<string, Case>>) =>
  it.each(Object.entries(cases))('%s', (_, each) => expectDecision(each));

const two = ['1', '2'];
const renames = (value: number) => [{ limit: 'rename' as const, value, allowed: 1 }];
const above = foundOf(two, {
  exceeds: true,
  required: { approvals: 1, notAuthor: false, numbers: renames(2) },
});
const refresh = foundOf([], { changes: 0, calls: 1 });
const byTwo = { approvals: 2, notAuthor: false, numbers: [] };
const approved = planOf(two, { state: 'approved', approvals: [approvalBy('ada')] });
const byRollout = [approvalBy('ada', { via: 'rollout' })];
const approvedByRollout = planOf(two, { state: 'approved', approvals: byRollout });
const queued = { id: 'run-2', plan: 'plan of 1 2', state: 'queued' } as const;
const begins = { kind: 'run-begins', run: 'run-2', leftOut: [], refusal: null } as const;
const failedNow = holdOf('failed-runs', { at: ago(0).toISOString() });
const end = {
  run: { id: 'run-2' },
  state: 'done',
  hasBegun: true,
  hasChanged: true,
  reason: '',
  at: ago(0).toISOString(),
} as const;
const runEnded = (more: Partial<HeldEnd> = {}, isForNextPlan = false): AccountEvent => ({
  kind: 'run-ended',
  end: { ...end, ...more },
  reason: 'x',
  isForNextPlan,
});
const refused = { state: 'failed', hasBegun: false, hasChanged: false } as const;
const turnCame = { kind: 'turn-came', plan: 'plan of 1 2', by: person('ada'), reason: 'wave 1' } as const;
const turnLost = { kind: 'turn-lost', plan: 'plan of 1 2' } as const;

describe('after a check, the server', () => {
  decides({
    'approves and starts a plan within the limits in mode correct': {
      event: checkOf(foundOf(two)),
      next: { health: 'waiting', plan: { state: 'approved' } },
      kinds: ['add-plan', 'add-run', 'queue-run', 'record-check'],
    },
    'lets a plan above the limits wait': {
      event: checkOf(above),
      next: { health: 'waiting', plan: { state: 'waiting', reason: null } },
      kinds: ['add-plan', 'record-check'],
    },
    'lets every plan wait in mode propose': {
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two)),
      next: { plan: { state: 'waiting' } },
      kinds: ['add-plan', 'record-check'],
    },
    'lets no plan without changes wait, even after an undo': {
      state: { hold: holdOf('undo') },
      event: checkOf(refresh, { holdBefore: holdOf('undo') }),
      next: { plan: { state: 'approved' } },
      kinds: ['add-plan', 'add-run', 'queue-run', 'record-check'],
    },
    'lets a plan wait for a person after an undo, and says why': {
      state: { hold: holdOf('undo') },
      event: checkOf(foundOf(two), { holdBefore: holdOf('undo') }),
      next: {
        plan: {
          state: 'waiting',
          reason: 'someone undid a run, so the server does not repeat its changes automatically',
        },
      },
      kinds: ['add-plan', 'record-check'],
    },
    'lets a plan wait for a person after five runs in a row that failed': {
      state: { hold: holdOf('failed-runs', { runs: 5 }) },
      event: checkOf(foundOf(two), { holdBefore: holdOf('failed-runs', { runs: 5 }) }),
      next: { plan: { state: 'waiting' }, failure: { code: 'not-converging' } },
    },
    'ends a hold once the commit is another one': {
      state: { hold: holdOf('undo') },
      event: checkOf(foundOf(two), { commit: 'c2', holdBefore: holdOf('undo') }),
      next: { hold: null, plan: { state: 'approved' } },
    },
    'keeps what people approved': {
      state: { plan: approved },
      event: checkOf(foundOf(['1', '2', '3'])),
      next: { plan: { id: 'plan of 1 2', state: 'approved', later: null } },
    },
    'keeps what people approved if a host of it changed, and names that host': {
      state: { plan: approved },
      event: checkOf(foundOf(['2'])),
      next: { plan: { id: 'plan of 1 2', state: 'approved', later: { leftOut: ['1'] } } },
    },
    'replaces an approved plan of which nothing is left': {
      state: { plan: approved },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(['3'])),
      next: { plan: { id: 'new plan of 3', state: 'waiting', approvals: [] } },
    },
    'asks nobody for a second approval of a plan of which nothing is left but a status refresh': {
      state: { plan: planOf(['1'], { required: byTwo, approvals: [approvalBy('ada')] }) },
      rules: { mode: 'propose' },
      event: checkOf(refresh),
      next: { plan: { changes: 0, state: 'approved', approvals: [] } },
      kinds: ['add-plan', 'add-run', 'queue-run', 'record-check'],
    },
    'leaves a plan that is running alone': {
      state: { plan: planOf(two, { state: 'running' }), run: { ...queued, state: 'running' } },
      event: checkOf(foundOf(['3'])),
      next: { plan: { id: 'plan of 1 2', state: 'running' } },
      commands: [{ kind: 'record-check', health: 'running', failure: null }],
    },
    'leaves the reversal of a run alone': {
      state: { plan: planOf(two, { source: 'undo of run run-1' }) },
      event: checkOf(foundOf(['3'])),
      next: { plan: { id: 'plan of 1 2', state: 'waiting' } },
      kinds: ['record-check'],
    },
    'closes the plan in mode observe, whoever approved it': {
      state: { plan: approved },
      rules: { mode: 'observe' },
      event: checkOf(foundOf(two)),
      next: { plan: null },
      commands: [
        { kind: 'close-plan', state: 'stale', reason: 'the account is in mode observe' },
        { kind: 'record-check', health: 'drifted' },
      ],
    },
    'closes the plan once nothing differs, and keeps rejections in mode correct': {
      state: { plan: planOf(two), rejections: [rejectionOf(['3'])] },
      event: checkOf(null),
      next: { plan: null, health: 'converged', rejections: [{ by: 'grace' }] },
      kinds: ['close-plan', 'record-check'],
    },
    'ends rejections once nothing differs in another mode': {
      state: { rejections: [rejectionOf(['3'])] },
      rules: { mode: 'propose' },
      event: checkOf(null),
      next: { rejections: [] },
      kinds: ['end-rejections', 'record-check'],
    },
    'ends no rejections at each later check without differences': {
      rules: { mode: 'observe' },
      event: checkOf(null),
      kinds: ['record-check'],
    },
    'does not propose again exactly what someone rejected': {
      state: { rejections: [rejectionOf(two)] },
      event: checkOf(foundOf(two)),
      next: { plan: null, health: 'drifted' },
      kinds: ['record-check'],
    },
    'lets a plan with some effects that someone rejected wait, also within the limits, and says who rejected them':
      {
        state: { rejections: [rejectionOf(['1'])] },
        event: checkOf(foundOf(two)),
        next: { plan: { state: 'waiting', reason: 'it has changes that grace rejected' } },
        kinds: ['add-plan', 'record-check'],
      },
    'replaces an open plan with the same content if more people must approve it now': {
      state: { plan: planOf(two) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two, { required: byTwo })),
      next: { plan: { id: 'new plan of 1 2', required: { approvals: 2 } } },
    },
    'replaces an open plan with the same content if the author may no longer approve it': {
      state: { plan: planOf(two) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two, { required: { approvals: 1, notAuthor: true, numbers: [] } })),
      next: { plan: { id: 'new plan of 1 2' } },
    },
    'replaces a plan that the policy approved once the account must propose': {
      state: { plan: planOf(two, { state: 'approved' }) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two)),
      next: { plan: { id: 'new plan of 1 2', state: 'waiting' } },
    },
    'starts no run while changes are paused': {
      rules: { isPaused: true },
      event: checkOf(foundOf(two)),
      next: { run: null, plan: { state: 'approved' }, health: 'waiting' },
      kinds: ['add-plan', 'record-check'],
    },
    'queues the run of a plan that people approved also while changes are paused: it says that it waits for the end':
      {
        state: { plan: approved },
        rules: { isPaused: true },
        event: checkOf(foundOf(two)),
        next: { run: { state: 'queued' }, health: 'waiting' },
        kinds: ['add-run', 'queue-run', 'record-check'],
      },
    'starts no second run while one is queued': {
      state: { plan: approved, run: queued },
      event: checkOf(foundOf(two)),
      kinds: ['record-check'],
    },
    'leaves the start of a plan that a rollout approved to its wave': {
      state: { plan: approvedByRollout },
      event: checkOf(foundOf(two)),
      kinds: ['record-check'],
    },
    'records the commit that it compared the fleet with': {
      event: checkOf(null, { commit: 'c2' }),
      next: { commit: 'c2' },
    },
    'reports an install in doubt, though nothing differs': {
      event: checkOf(null, {
        found: { plan: null, blocked: null, differences: 'none', installs: 'in_doubt' },
      }),
      next: { health: 'in_doubt' },
    },
    'reports an accepted install as in progress, never as converged': {
      event: checkOf(null, {
        found: { plan: null, blocked: null, differences: 'none', installs: 'in_progress' },
      }),
      next: { health: 'in_progress' },
    },
    'starts no run that settings forbid, and reports why': {
      event: checkOf(foundOf(two), { refusals: { open: null, found: { code: 'window', message: 'x' } } }),
      next: { run: null, health: 'failing', failure: { code: 'window' } },
      kinds: ['add-plan', 'record-check'],
    },
    'reports nothing that would forbid a run which waits for a person anyway': {
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two), { refusals: { open: null, found: { code: 'window', message: 'x' } } }),
      next: { health: 'waiting', failure: null },
    },
    'does not propose again what someone rejected, though its checksum is another one': {
      state: { rejections: [rejectionOf(two, { checksum: 'of other lines' })] },
      event: checkOf(foundOf(two)),
      next: { plan: null },
    },
    'does not propose again what someone rejected if only the checksum compares': {
      state: { rejections: [rejectionOf(two, { changeDigest: null })] },
      event: checkOf(foundOf(two, { changeDigest: null })),
      next: { plan: null },
    },
    'takes no plan for a rejected one because both have no digest': {
      state: { rejections: [rejectionOf(['3'], { changeDigest: null })] },
      event: checkOf(foundOf(two, { changeDigest: null })),
      next: { plan: { state: 'approved' } },
    },
    'forgets a rejection at the moment at which its time passes': {
      state: { rejections: [rejectionOf(two, { expiresAt: ago(0) })] },
      event: checkOf(foundOf(two)),
      next: { plan: { state: 'approved' } },
    },
    'reports an account as paused if nothing differs while changes are paused': {
      rules: { isPaused: true },
      event: checkOf(null),
      next: { health: 'paused' },
    },
    'reports an account as ignored if people ignore all that differs': {
      event: checkOf(null, {
        found: { plan: null, blocked: null, differences: 'ignored', installs: 'none' },
      }),
      next: { health: 'ignored' },
    },
    'ignores a check that began before the one that is written': {
      state: { checkBeganAt: now - 500, health: 'drifted' },
      event: checkOf(null),
      kinds: [],
    },
    'keeps what people approved if the check failed': {
      state: { plan: approved },
      event: { kind: 'check-failed', beganAt: now - 1, failure: { code: 'network', message: 'x' } },
      next: { health: 'failing', plan: { state: 'approved' }, failure: { code: 'network', attempts: 1 } },
      kinds: ['record-check'],
    },
    'counts checks in a row that failed': {
      state: { failure: { code: 'network', attempts: 1 } },
      event: { kind: 'check-failed', beganAt: now - 1, failure: { code: 'network', message: 'x' } },
      next: { failure: { code: 'network', attempts: 2 } },
    },
  });

  it('starts the run of an approved plan that has none, in the name of its last approver', () => {
    const approvals = [approvalBy('ada'), approvalBy('grace', { comment: 'go on' }), approvalBy('linus')];
    const plan = planOf(two, { state: 'approved', approvals: approvals.slice(0, 2) });
    const of = (open: StoredPlan) => {
      const decided = decide(stateOf({ plan: open }), checkOf(foundOf(two)), rulesOf(), now);
      return decided.ok ? decided.value.commands.find(({ kind }) => kind === 'add-run') : undefined;
    };
    expect(of(plan)).toMatchObject({ by: person('grace'), reason: 'go on', steps: 2 });
    expect(of({ ...plan, approvals })).toMatchObject({ by: person('linus'), reason: null });
    expect(of({ ...plan, approvals: [] })).toMatchObject({
      by: null,
      reason: 'the changes are within the limits of the account',
    });
  });

  it('checks again within the cadence after a failed run, however often runs failed', () => {
    for (const runs of [1, 2, 3, 4, 5, 9]) {
      const hold = holdOf('failed-runs', { runs });
      const decided = decide(stateOf({ hold }), checkOf(foundOf(two), { holdBefore: hold }), rulesOf(), now);
      const record = decided.ok
        ? decided.value.commands.find(({ kind }) => kind === 'record-check')
        : undefined;
      expect(record?.kind === 'record-check' && record.nextAt - now).toBeLessThanOrEqual(10 * minute);
    }
  });
});

const decidedBy = (
  id: string,
  plan: StoredPlan,
  more: Partial<Extract<AccountEvent, { kind: 'decided' }>['request']> = {},
): AccountEvent => ({
  kind: 'decided',
  plan,
  approver: { subject: person(id), email: `${id}@example.com`, isApprover: true },
  request: { decision: 'approved', checksum: plan.checksum, numbers: {}, via: 'api', ...more },
});

describe("after a person's decision, the server", () => {
  const plan = planOf(two);
  const needsTwo = planOf(two, {
    required: { approvals: 2, notAuthor: true, numbers: [] },
    author: 'ada@example.com',
  });
  const numbered = planOf(two, { required: { approvals: 1, notAuthor: false, numbers: renames(2) } });
  const stale = planOf(two, { id: 'old', state: 'stale', replacedBy: 'plan of 2 3' });
  decides({
    'starts the run with the approval that completes the plan': {
      state: { plan },
      event: decidedBy('ada', plan),
      next: { plan: { state: 'approved' } },
      kinds: ['add-approval', 'move-plan', 'add-run', 'queue-run'],
    },
    'waits for the second person if two must approve': {
      state: { plan: needsTwo },
      event: decidedBy('grace', needsTwo),
      next: { plan: { state: 'waiting' } },
      kinds: ['add-approval'],
    },
    'refuses the author if the author may not approve': {
      state: { plan: needsTwo },
      event: decidedBy('ada', needsTwo),
      refused: 'not-approved',
    },
    'refuses a second approval by one person': {
      state: { plan: { ...needsTwo, approvals: [approvalBy('grace')] } },
      event: decidedBy('grace', { ...needsTwo, approvals: [approvalBy('grace')] }),
      refused: 'not-approved',
    },
    'refuses an approval without the exact number': {
      state: { plan: numbered },
      event: decidedBy('ada', numbered, { numbers: { rename: 3 } }),
      refused: 'ack-mismatch',
    },
    'accepts an approval with the exact number': {
      state: { plan: numbered },
      event: decidedBy('ada', numbered, { numbers: { rename: 2 } }),
      next: { plan: { state: 'approved' } },
    },
    'refuses an approval of another checksum': {
      state: { plan },
      event: decidedBy('ada', plan, { checksum: 'other' }),
      refused: 'stale-plan',
    },
    'closes a rejected plan with the reason of the person, and checks the account at once': {
      state: { plan },
      event: decidedBy('ada', plan, { decision: 'rejected', comment: 'not today' }),
      next: { plan: null, rejections: [{ checksum: '1 2' }] },
      kinds: ['add-approval', 'close-plan', 'queue-check'],
    },
    'lets whoever has approved a plan reject it: their last decision counts': {
      state: { plan: { ...needsTwo, approvals: [approvalBy('grace')] } },
      event: decidedBy('grace', { ...needsTwo, approvals: [approvalBy('grace')] }, { decision: 'rejected' }),
      next: { plan: null, rejections: [{ approvals: [{ by: person('grace'), decision: 'rejected' }] }] },
      kinds: ['add-approval', 'close-plan', 'queue-check'],
    },
    'leaves the run of a plan that a rollout approves to its wave': {
      state: { plan },
      event: decidedBy('ada', plan, { via: 'rollout' }),
      kinds: ['add-approval', 'move-plan'],
    },
    'adds no run to one that is open': {
      state: { plan, run: { id: 'run-1', plan: 'other', state: 'running' } },
      event: decidedBy('ada', plan),
      kinds: ['add-approval', 'move-plan'],
    },
    'reopens a replaced plan for the changes that the open one has too': {
      state: { plan: planOf(['2', '3']) },
      event: decidedBy('ada', stale),
      next: { plan: { id: 'old', state: 'approved', later: { leftOut: ['1'] } } },
    },
    'refuses an approval of a replaced plan of which nothing is left': {
      state: { plan: planOf(['3']) },
      event: decidedBy('ada', stale),
      refused: 'stale-plan',
    },
    'refuses an approval of a replaced plan once someone approved the open one': {
      state: { plan: planOf(['2', '3'], { required: byTwo, approvals: [approvalBy('grace')] }) },
      event: decidedBy('ada', { ...stale, required: byTwo }),
      refused: 'stale-plan',
    },
    'refuses an approval of a replaced plan that changes nothing: nobody has to approve it': {
      state: { plan: planOf(two) },
      event: decidedBy('ada', { ...planOf([]), id: 'old', state: 'stale', replacedBy: 'plan of 1 2' }),
      refused: 'not-approved',
    },
  });
});

describe('for a run, the server', () => {
  const hold = holdOf('stopped');
  const running = { plan: { ...approved, state: 'running' }, run: { ...queued, state: 'running' } } as const;
  const progressed = { kind: 'run-progressed', run: 'run-2', isClosed: false } as const;
  decides({
    'lets the run of an approved plan begin': {
      state: { plan: approved, run: queued },
      event: begins,
      next: { health: 'running', plan: { state: 'running' }, run: { state: 'running' } },
    },
    'stops a run in progress because a person asked for that, even if its window closes': {
      state: { ...running, run: { ...running.run, state: 'stopping' } },
      event: { ...progressed, isClosed: true },
      commands: [{ kind: 'stop-run', why: 'person' }],
    },
    'stops a run in progress whose window closes': {
      state: running,
      event: { ...progressed, isClosed: true },
      next: { run: { state: 'running' } },
      commands: [{ kind: 'stop-run', why: 'window' }],
    },
    'lets a run in progress go on': { state: running, event: progressed, kinds: [] },
    'says nothing to the worker of a run that has ended': {
      state: running,
      event: { ...progressed, run: 'run-1', isClosed: true },
      kinds: [],
    },
    'checks an account without a run in progress after a new commit': {
      state: { plan: approved, run: queued },
      event: { kind: 'source-changed' },
      kinds: ['queue-check'],
    },
    'checks an account without a run after a new commit': {
      event: { kind: 'source-changed' },
      kinds: ['queue-check'],
    },
    'refuses a run whose plan lacks approvals, whatever its state says': {
      state: { plan: { ...approved, required: byTwo }, run: queued },
      event: begins,
      refused: 'not-approved',
    },
    'refuses a run that nobody approved outside mode correct': {
      state: { plan: { ...approved, approvals: [] }, run: queued },
      rules: { mode: 'propose' },
      event: begins,
      refused: 'not-approved',
    },
    'refuses a run above the limits that nobody approved in mode correct': {
      state: {
        plan: {
          ...approved,
          approvals: [],
          required: { approvals: 1, notAuthor: false, numbers: renames(2) },
        },
        run: queued,
      },
      event: begins,
      refused: 'not-approved',
    },
    'refuses a run whose plan was replaced': {
      state: { plan: planOf(['3'], { state: 'approved' }), run: queued },
      event: begins,
      refused: 'stale-plan',
    },
    'refuses a run that has ended elsewhere': {
      state: { plan: approved },
      event: begins,
      refused: 'stale-plan',
    },
    'refuses a run that someone stopped before it began': {
      state: { plan: approved, run: { ...queued, state: 'stopping' } },
      event: begins,
      refused: 'cancelled',
    },
    'refuses a run that would write to a host that the latest check left out': {
      state: { plan: { ...approved, later: { leftOut: ['1'], authors: [] } }, run: queued },
      event: begins,
      refused: 'lock-lost',
    },
    'waits for the check after its run, since only a check shows the result': {
      state: { ...running, health: 'running' },
      event: runEnded(),
      next: { health: 'waiting' },
      kinds: ['move-run', 'close-plan', 'set-health', 'queue-check'],
    },
    'waits while a window interrupts its run': {
      state: { ...running, health: 'running' },
      event: { kind: 'run-waits', run: 'run-2' },
      next: { health: 'waiting', run: { state: 'queued' } },
      kinds: ['move-run', 'queue-run', 'set-health'],
    },
    'is in doubt after a run that ended in doubt': {
      state: { ...running, health: 'running' },
      event: runEnded({ state: 'in_doubt' }),
      next: { health: 'in_doubt', hold: { isInDoubt: true } },
    },
    'holds the account after a run that failed': {
      state: running,
      event: runEnded({ state: 'failed' }),
      next: { plan: null, hold: { kind: 'failed-runs', runs: 1 } },
    },
    'holds nothing after a run that its window ended': {
      state: running,
      event: runEnded({ state: 'failed' }, true),
      next: { plan: null, hold: null },
    },
    'keeps a person responsible for the changes of a reversal that a window ended': {
      state: {
        plan: { ...approved, source: 'undo of run run-1', state: 'running' },
        run: { ...queued, state: 'running' },
      },
      event: runEnded({ state: 'stopped' }, true),
      next: { plan: null, hold: { kind: 'undo' } },
    },
    'closes the plan of an account whose name another tenant gets, and ends its hold': {
      state: { plan: approved, hold },
      event: { kind: 'given-away' },
      next: { plan: null, hold: null },
      kinds: ['set-hold', 'close-plan'],
    },
    'leaves the plan of a run in progress to its end if the account is removed': {
      state: { plan: { ...approved, state: 'running' } },
      event: { kind: 'removed' },
      kinds: [],
    },
    'has nothing to close at an account without a plan and a hold': {
      state: {},
      event: { kind: 'given-away' },
      kinds: [],
    },
    'leaves the check after an ignored difference to a run in progress': {
      state: { run: { ...queued, state: 'running' } },
      event: { kind: 'ignore-ended' },
      kinds: [],
    },
    'counts a refusal before the first write as no failure': {
      state: { plan: approved, run: queued },
      event: runEnded(refused),
      next: { plan: null, hold: null },
      kinds: ['move-run', 'close-plan', 'queue-check'],
    },
    'holds the account until a person approves once someone undid a run': {
      state: {
        plan: { ...approved, source: 'undo of run run-1', state: 'running' },
        run: { ...queued, state: 'running' },
      },
      event: runEnded(),
      next: { hold: { kind: 'undo' } },
    },
    'ignores the end of a run that is not the open one': {
      state: running,
      event: runEnded({ run: { id: 'x' } }),
      kinds: [],
    },
    'starts the run of a rollout once its wave has come': {
      state: { plan: approved },
      event: turnCame,
      kinds: ['add-run', 'queue-run'],
    },
    'adds no run of a rollout to one that is open': {
      state: { plan: approved, run: queued },
      event: turnCame,
      kinds: [],
    },
    'keeps a plan that people approved otherwise when a rollout is aborted': {
      state: { plan: approved },
      event: turnLost,
      kinds: [],
    },
    'keeps another plan than that of the aborted rollout': {
      state: { plan: approvedByRollout },
      event: { kind: 'turn-lost', plan: 'x' },
      kinds: [],
    },
    'leaves the plan of an aborted rollout to its run': {
      state: { plan: approvedByRollout, run: queued },
      event: turnLost,
      kinds: [],
    },
    'stops the open run': {
      state: { plan: approved, run: queued },
      event: { kind: 'stop-asked', run: 'run-2' },
      next: { run: { state: 'stopping' } },
      kinds: ['move-run', 'queue-run'],
    },
    'stops no run but the open one': {
      state: { plan: approved, run: queued },
      event: { kind: 'stop-asked', run: 'run-1' },
      kinds: [],
    },
    'looks at a run again whose windows someone overrides': {
      state: { plan: approved, run: queued },
      event: { kind: 'windows-overridden', run: 'run-2' },
      kinds: ['queue-run'],
    },
    'looks at no run but the open one': {
      state: { run: queued },
      event: { kind: 'windows-overridden', run: 'run-1' },
      kinds: [],
    },
    'lets a run that someone stopped wait for nothing': {
      state: { plan: approved, run: { ...queued, state: 'stopping' } },
      event: { kind: 'run-waits', run: 'run-2' },
      kinds: [],
    },
    'keeps an approved plan if a run of another one was refused': {
      state: { plan: planOf(['3'], { state: 'approved' }), run: queued },
      event: runEnded({ ...refused, hasChanged: true }),
      next: { plan: { id: 'plan of 3' } },
    },
    'starts the run of a rollout only for its approved plan': {
      state: { plan: planOf(two) },
      event: turnCame,
      kinds: [],
    },
  });
});

describe('without a check or a run, the server', () => {
  decides({
    'lifts a hold and ends rejections if a person asks for a new plan': {
      state: { hold: holdOf('undo'), rejections: [rejectionOf(two)] },
      event: { kind: 'hold-lifted' },
      next: { hold: null, rejections: [] },
      kinds: ['set-hold', 'end-rejections', 'queue-check'],
    },
    'closes a plan at its time, which nobody applied, and checks': {
      state: { plan: planOf(two, { expiresAt: ago(0) }) },
      event: { kind: 'clock' },
      next: { plan: null },
      commands: [{ kind: 'close-plan', state: 'expired' }, { kind: 'queue-check' }],
    },
    'leaves a plan whose time has not passed': {
      state: { plan: planOf(two, { expiresAt: ahead(1) }) },
      event: { kind: 'clock' },
      kinds: [],
    },
    'does nothing for an account without a plan': { event: { kind: 'clock' }, kinds: [] },
    'only checks if a person asks for a new plan, and nothing holds the account': {
      event: { kind: 'hold-lifted' },
      kinds: ['queue-check'],
    },
    'leaves a plan that is running, though its time has passed': {
      state: { plan: planOf(two, { state: 'running', expiresAt: ago(1) }) },
      event: { kind: 'clock' },
      kinds: [],
    },
    'refuses the reversal of a run while a plan is running': {
      state: { plan: planOf(two, { state: 'running' }) },
      event: { kind: 'plan-made', plan: planOf(['3'], { source: 'undo of run run-1' }), problems: [] },
      refused: 'lock-held',
    },
    'refuses the reversal of a run that changes nothing': {
      event: { kind: 'plan-made', plan: planOf([], { source: 'undo of run run-1' }), problems: [] },
      refused: 'usage',
    },
  });
});

describe('if a pause begins or ends, the server', () => {
  const withinLimits = planOf(two, { state: 'approved' });
  const resumed = { kind: 'resumed' } as const;
  decides({
    'shows the pause of an account without differences': {
      state: {},
      event: { kind: 'paused' },
      next: { health: 'paused' },
      kinds: ['set-health'],
    },
    'shows again that differences are ignored': {
      state: { health: 'paused', hasIgnored: true },
      event: resumed,
      next: { health: 'ignored' },
      kinds: ['set-health'],
    },
    'lets the plan within the limits begin that the pause held back': {
      state: { health: 'waiting', plan: withinLimits },
      event: resumed,
      kinds: ['add-run', 'queue-run'],
    },
    'leaves the plan of a rollout to its wave': {
      state: { health: 'waiting', plan: approvedByRollout },
      event: resumed,
      kinds: [],
    },
    'leaves a plan that a rollout has among its own to its wave': {
      state: { health: 'waiting', plan: withinLimits },
      event: resumed,
      rules: { isInRollout: true },
      kinds: [],
    },
    'leaves a plan that someone must approve to them': {
      state: { health: 'waiting', plan: planOf(two) },
      event: resumed,
      kinds: [],
    },
    'lets no plan begin by itself after a failed run until its time has come': {
      state: { health: 'waiting', plan: withinLimits, hold: failedNow },
      event: resumed,
      kinds: [],
    },
    'asks hosts for their status also after a failed run': {
      state: { health: 'waiting', plan: { ...withinLimits, changes: 0 }, hold: failedNow },
      event: resumed,
      kinds: ['add-run', 'queue-run'],
    },
    'wakes the run that waits for the end of the pause': {
      state: { health: 'waiting', plan: approved, run: queued },
      event: resumed,
      kinds: ['queue-run'],
    },
    'leaves a run in progress alone': {
      state: { plan: { ...approved, state: 'running' }, run: { ...queued, state: 'running' } },
      event: resumed,
      kinds: [],
    },
  });
});

describe('an account that waits', () => {
  const idle = { plan: null, runState: null, runWaitsFor: null } as const;

  it('waits for nobody if its health is another one', () => {
    const waiting = { ...idle, isPaused: false, plan: { state: 'waiting' } } as const;
    expect(whomItWaitsFor({ ...waiting, health: 'drifted' })).toBeNull();
    expect(whomItWaitsFor({ ...waiting, health: 'waiting' })).toBe('approval');
  });

  it('is counted once, by what it waits for, and for nobody while its run goes on', () => {
    const begun = { ...idle, plan: { state: 'approved' }, runState: 'queued' } as const;
    const groups = [
      { ...idle, names: ['a', 'b'], plan: { state: 'waiting' } },
      { ...idle, names: ['c', 'd', 'e'], plan: { state: 'approved' } },
      { ...begun, names: ['f'] },
      { ...begun, names: ['h', 'i', 'j'], runWaitsFor: 'window' as const },
      { ...idle, names: ['g'] },
      { ...idle, names: ['k'], runState: 'running' as const },
    ];
    const counts = countWaiting(groups, (name) => ['a', 'd'].includes(name));
    expect(counts).toEqual({ approval: 2, window: 3, pause: 1, rollout: 2, worker: 1, check: 1 });
  });
});

describe('the health of an account between two checks', () => {
  it.each([
    ['is paused once changes of an ignored account are paused', 'ignored', true, true, 'paused'],
    ['is converged again after the pause', 'paused', false, false, 'converged'],
  ] as const)('%s', (_, health, hasIgnored, isPaused, expected) => {
    expect(pausedHealth(health, hasIgnored, isPaused)).toBe(expected);
  });
});

describe('a check that finds the content of the open plan again', () => {
  const queued = { id: 'run', plan: approved.id, state: 'queued' } as const;
  const waiting = planOf(two, { reason: 'someone undid a run' });

  decides({
    'shortens the time of an approved plan if plans expire sooner now': {
      state: { plan: approved, run: queued },
      event: checkOf(foundOf(two, { expiresAt: ahead(60 * minute) })),
      commands: [{ kind: 'shorten-plan', expiresAt: ahead(59 * minute) }, { kind: 'record-check' }],
    },
    'takes a host back into an approved plan that had left it out': {
      state: { plan: { ...approved, later: { leftOut: ['2'], authors: [] } }, run: queued },
      event: checkOf(foundOf(two)),
      commands: [{ kind: 'keep-plan', later: { leftOut: [] } }, { kind: 'record-check' }],
    },
    'leaves out another host than the check before': {
      state: {
        plan: planOf(['1', '2', '3'], {
          state: 'approved',
          approvals: [approvalBy('ada')],
          later: { leftOut: ['1'], authors: [] },
        }),
        run: queued,
      },
      event: checkOf(foundOf(['1', '3'])),
      commands: [{ kind: 'keep-plan', later: { leftOut: ['2'] } }, { kind: 'record-check' }],
    },
    'replaces it at the moment at which it expires': {
      rules: { mode: 'propose' },
      state: { plan: planOf(two, { expiresAt: new Date(now) }) },
      event: checkOf(foundOf(two)),
      kinds: ['add-plan', 'record-check'],
    },
    'keeps a plan that waits for a reason as long as it would wait again': {
      rules: { mode: 'propose' },
      state: { plan: waiting },
      event: checkOf(foundOf(two)),
      kinds: ['record-check'],
    },
    'keeps a plan that nobody had to approve as long as nobody has to': {
      state: { plan: planOf(two, { state: 'approved' }), run: { ...queued, plan: planOf(two).id } },
      event: checkOf(foundOf(two)),
      kinds: ['record-check'],
    },
  });
});

describe('what becomes of a run and its plan', () => {
  const running = { plan: { ...approved, state: 'running' }, run: { ...queued, state: 'running' } } as const;
  const approvedByBoth = planOf(two, {
    required: { approvals: 3, notAuthor: false, numbers: [] },
    approvals: [approvalBy('grace'), approvalBy('ada')],
  });

  decides({
    'is done together with its run': {
      state: running,
      event: runEnded(),
      next: { plan: null, hold: null },
      commands: [
        { kind: 'move-run', state: 'done' },
        { kind: 'close-plan', state: 'done', reason: 'x' },
        { kind: 'queue-check' },
      ],
    },
    'is stale after a run that someone stopped, which holds the account': {
      state: running,
      event: runEnded({ state: 'stopped' }),
      commands: [
        { kind: 'move-run', state: 'stopped' },
        { kind: 'close-plan', state: 'stale' },
        { kind: 'set-hold', hold: { kind: 'stopped', runs: 0 } },
        { kind: 'queue-check' },
      ],
    },
    'is refused at the moment at which its plan expires': {
      state: { plan: { ...approved, expiresAt: ago(0) }, run: queued },
      event: begins,
      refused: 'stale-plan',
    },
    'is stale if its account is no longer configured, whose hold is kept': {
      state: { plan: approved, hold: holdOf('stopped') },
      event: { kind: 'removed' },
      next: { plan: null, hold: holdOf('stopped') },
      commands: [{ kind: 'close-plan', state: 'stale', reason: 'its account is no longer configured' }],
    },
    'keeps the approval of each other person if someone rejects it after all': {
      state: { plan: approvedByBoth },
      event: decidedBy('ada', approvedByBoth, { decision: 'rejected' }),
      next: {
        rejections: [
          {
            approvals: [
              { by: person('grace'), decision: 'approved' },
              { by: person('ada'), decision: 'rejected' },
            ],
          },
        ],
      },
    },
  });
});

it.each([
  ['is newer', { state: 'stale', replacedBy: 'newer' }, ['3'], 'review the newer plan newer'],
  ['was made while the person decided', { state: 'waiting' }, two, 'wait for the next check'],
] as const)('an approval is refused if the open plan %s, with what to do', (_, more, open, hint) => {
  const seen = planOf(two, { id: 'seen', ...more });
  const decided = decide(stateOf({ plan: planOf(open) }), decidedBy('ada', seen), rulesOf(), now);
  expect(decided.problems).toMatchObject([{ code: 'stale-plan', hint }]);
});

describe('a check decides in detail, and', () => {
  const failedNow = holdOf('failed-runs', { at: ago(0).toISOString() });
  const doubtful = { ...failedNow, isInDoubt: true };
  const undo = planOf(two, { source: 'undo of run run-1' });
  const nothing = checkOf(null, {
    found: { plan: null, blocked: null, differences: 'none', installs: 'none' },
  });
  const blockedBy = (hold: AccountHold): CheckDone => {
    const failure = { code: 'frozen', message: 'no' };
    const found = {
      plan: foundOf(two),
      blocked: { why: 'no', failure },
      differences: 'some',
      installs: 'none',
    } as const;
    return checkOf(null, { holdBefore: hold, found });
  };
  const waiting = (more: Partial<StoredPlan>) =>
    planOf(two, { required: { approvals: 1, notAuthor: true, numbers: [] }, ...more });
  decides({
    'reports no failed runs outside of mode correct': {
      state: { hold: failedNow },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two), { holdBefore: failedNow }),
      next: { health: 'waiting', failure: null },
    },
    'reports no failed runs if nothing is left to do': {
      state: { hold: failedNow },
      event: { ...nothing, holdBefore: null },
      next: { health: 'converged', failure: null, hold: failedNow },
    },
    'reports no failed runs once it starts the next one': {
      state: { hold: failedNow, plan: approved },
      event: checkOf(foundOf(two), { holdBefore: failedNow }),
      next: { health: 'waiting', failure: null },
      kinds: ['add-run', 'queue-run', 'record-check'],
    },
    'reports no failed runs while a reversal waits': {
      state: { hold: failedNow, plan: undo },
      event: checkOf(foundOf(two), { holdBefore: failedNow }),
      next: { health: 'waiting', failure: null },
    },
    'keeps an account in doubt whose last run ended so': {
      state: { hold: doubtful },
      event: checkOf(foundOf(two), { holdBefore: doubtful }),
      next: { health: 'in_doubt', failure: { code: 'not-converging' } },
    },
    'reports an error of the plan before a doubt': {
      state: { hold: doubtful },
      event: blockedBy(doubtful),
      next: { health: 'failing', failure: { code: 'frozen' } },
    },
    'plans the next check for the cadence': {
      event: nothing,
      commands: [{ nextAt: dueAt({ name: 'berlin', lastCheckAt: now, attempts: 0 }, 10 * minute) }],
    },
    'plans the next check for the back-off after a failure': {
      event: blockedBy(failedNow),
      commands: [{ nextAt: dueAt({ name: 'berlin', lastCheckAt: now, attempts: 1 }, 10 * minute) }],
    },
    'keeps a newer end of the same run as its hold': {
      state: { hold: holdOf('undo') },
      event: { ...nothing, holdBefore: holdOf('undo', { at: ago(2 * minute).toISOString() }) },
      next: { hold: { kind: 'undo' } },
    },
    'ends a hold once nothing is left to do': {
      state: { hold: holdOf('undo') },
      event: { ...nothing, holdBefore: holdOf('undo') },
      next: { hold: null },
      kinds: ['set-hold', 'record-check'],
    },
    'replaces an approved plan whose units are not known': {
      state: { plan: withoutTerms({ ...approved, contentDigest: null }) },
      event: checkOf(foundOf(['1', '2', '3'])),
      next: { plan: { id: 'new plan of 1 2 3' } },
    },
    'replaces an approved plan if the units of the new one are not known': {
      state: { plan: approved },
      event: checkOf(withoutTerms(foundOf(['1', '2', '3']))),
      next: { plan: { id: 'new plan of 1 2 3' } },
    },
    'notes who wrote the changes that an approved plan does not have': {
      state: { plan: { ...approved, later: { leftOut: [], authors: ['ada'] } }, run: queued },
      event: checkOf(foundOf(['1', '2', '3']), { author: 'eve' }),
      commands: [
        { kind: 'keep-plan', later: { leftOut: [], authors: ['ada', 'eve'] } },
        { kind: 'record-check' },
      ],
    },
    'notes each author once': {
      state: { plan: { ...approved, later: { leftOut: [], authors: ['eve'] } }, run: queued },
      event: checkOf(foundOf(['1', '2', '3']), { author: 'eve' }),
      kinds: ['record-check'],
    },
    'notes no author of a check that found no more changes': {
      state: { plan: approved, run: queued },
      event: checkOf(foundOf(['2']), { author: 'eve' }),
      commands: [{ kind: 'keep-plan', later: { leftOut: ['1'], authors: [] } }, { kind: 'record-check' }],
    },
    'keeps an open plan with the same changes, whatever else is in its document': {
      state: { plan: waiting({ checksum: 'other' }) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two)),
      kinds: ['record-check'],
    },
    'keeps an open plan with the same checksum, though its changes have no digest': {
      state: { plan: waiting({ contentDigest: null }) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two)),
      kinds: ['record-check'],
    },
    'replaces an open plan with another checksum if no digest shows the same changes': {
      state: { plan: waiting({ checksum: 'other', contentDigest: null }) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two, { contentDigest: null })),
      kinds: ['add-plan', 'record-check'],
    },
    'keeps a plan that no author may approve, as required': {
      state: { plan: waiting({}) },
      rules: { mode: 'propose' },
      event: checkOf(foundOf(two, { required: { approvals: 1, notAuthor: true, numbers: [] } })),
      kinds: ['record-check'],
    },
    'starts a plan that waited only for the reason of a hold that is over': {
      state: { plan: planOf(two, { reason: 'someone stopped a run' }) },
      event: checkOf(foundOf(two)),
      next: { plan: { id: 'new plan of 1 2', state: 'approved' } },
      kinds: ['add-plan', 'add-run', 'queue-run', 'record-check'],
    },
    'keeps what a person approved, though a hold makes new plans wait': {
      state: { plan: approved, hold: holdOf('undo') },
      event: checkOf(foundOf(two), { holdBefore: holdOf('undo') }),
      kinds: ['add-run', 'queue-run', 'record-check'],
    },
    'gives the reason of a run that only refreshes the status of hosts': {
      event: checkOf(refresh),
      commands: [
        { kind: 'add-plan' },
        {
          kind: 'add-run',
          by: null,
          reason: 'the plan changes nothing: it asks hosts to report their status',
        },
        { kind: 'queue-run' },
        { kind: 'record-check' },
      ],
    },
    'shows a queued run as waiting, also if its plan is no longer open': {
      state: { plan: planOf(two), run: queued },
      event: nothing,
      next: { plan: null, health: 'waiting' },
    },
  });

  const failedCheck = (more: Partial<AccountState>, beganAt = now - minute) =>
    ({
      state: more,
      event: { kind: 'check-failed', beganAt, failure: { code: 'network', message: 'no' } },
    }) as const;
  it('counts the failures in a row for the next attempt', () => {
    for (const attempts of [0, 2])
      expectDecision({
        ...failedCheck(attempts === 0 ? {} : { failure: { code: 'network', attempts } }),
        commands: [
          { nextAt: dueAt({ name: 'berlin', lastCheckAt: now, attempts: attempts + 1 }, 10 * minute) },
        ],
      });
  });
  it('writes nothing if a check that began later, or at the same time, is written', () => {
    for (const checkBeganAt of [new Date(now - minute), ago(0)])
      expectDecision({ ...failedCheck({ checkBeganAt: checkBeganAt.getTime() }), kinds: [] });
  });
  it('writes its result after an earlier check, and after one that began in the future of a clock set back', () => {
    for (const checkBeganAt of [now - 2 * minute, now + 1])
      expectDecision({ ...failedCheck({ checkBeganAt }), kinds: ['record-check'] });
  });
});

describe('a person or a worker decides in detail, and', () => {
  const old = { ...planOf(two), id: 'old', state: 'stale', replacedBy: 'plan of 1 2 3' } as const;
  const open = planOf(['1', '2', '3'], {
    author: 'eve',
    required: { approvals: 1, notAuthor: false, numbers: [], earlierAuthors: ['dan'] },
  });
  decides({
    'a run that waits is not queued again': {
      state: { plan: approved, run: queued },
      event: { kind: 'run-waits', run: 'run-2' },
      kinds: ['move-run'],
    },
    'no run waits at an account without one': { event: { kind: 'run-waits', run: 'run-2' }, kinds: [] },
    'no other run waits': { state: { run: queued }, event: { kind: 'run-waits', run: 'run-1' }, kinds: [] },
    'a pause shows nothing before the first check': {
      state: { health: null },
      event: { kind: 'paused' },
      kinds: [],
    },
    'a plan that expires after the approval of a rollout has that reason': {
      state: { plan: planOf(two, { state: 'approved', approvals: byRollout, expiresAt: ago(1) }) },
      event: { kind: 'clock' },
      commands: [{ reason: 'its rollout did not apply it in time' }, {}],
    },
    'a plan that expires after the approval of a person has the usual reason': {
      state: { plan: { ...approved, expiresAt: ago(1) } },
      event: { kind: 'clock' },
      commands: [{ reason: 'nobody applied it in time' }, {}],
    },
    'a plan that expires before its last approval has the usual reason': {
      state: { plan: planOf(two, { approvals: byRollout, expiresAt: ago(1) }) },
      event: { kind: 'clock' },
      commands: [{ reason: 'nobody applied it in time' }, {}],
    },
    'a reversal replaces a plan that waits': {
      state: { plan: planOf(two) },
      event: { kind: 'plan-made', plan: planOf(['3'], { source: 'undo of run run-1' }), problems: [] },
      next: { plan: { id: 'plan of 3' } },
      kinds: ['add-plan'],
    },
    'a comment is part of the approval, and the reason of the run': {
      state: { plan: planOf(two) },
      event: decidedBy('ada', planOf(two), { comment: 'looks right' }),
      commands: [
        { kind: 'add-approval', approval: { comment: 'looks right' } },
        { kind: 'move-plan' },
        { kind: 'add-run', reason: 'looks right' },
        { kind: 'queue-run' },
      ],
    },
    'without a comment, the run has no reason': {
      state: { plan: planOf(two) },
      event: decidedBy('ada', planOf(two)),
      commands: [{ approval: { comment: null } }, {}, { kind: 'add-run', reason: null }, {}],
    },
    'a reopened plan replaces the open one, and keeps the authors of what it leaves to the next plan': {
      state: { plan: open },
      event: decidedBy('ada', { ...old, later: { leftOut: [], authors: ['cyd'] } }),
      commands: [
        { kind: 'close-plan', plan: 'plan of 1 2 3', state: 'stale' },
        { kind: 'reopen-plan', later: { leftOut: [], authors: ['cyd', 'dan', 'eve'] } },
        { kind: 'add-approval', plan: 'old' },
        { kind: 'move-plan', plan: 'old' },
        { kind: 'add-run', plan: 'old' },
        { kind: 'queue-run' },
      ],
    },
    'a reopened plan has no authors besides its own if it leaves nothing': {
      state: { plan: { ...open, ...planOf(['1']), author: 'eve' } },
      event: decidedBy('ada', old),
      commands: [{}, { kind: 'reopen-plan', later: { leftOut: ['2'], authors: [] } }, {}, {}, {}, {}],
    },
    'a plan of an unknown author adds none': {
      state: { plan: planOf(['1', '2', '3']) },
      event: decidedBy('ada', old),
      commands: [{}, { kind: 'reopen-plan', later: { leftOut: [], authors: [] } }, {}, {}, {}, {}],
    },
    'no plan replaces a reversal that waits': {
      state: { plan: { ...open, source: 'undo of run run-1' } },
      event: decidedBy('ada', old),
      refused: 'stale-plan',
    },
    'a reversal that was replaced is not reopened': {
      state: { plan: open },
      event: decidedBy('ada', { ...old, source: 'undo of run run-1' }),
      refused: 'stale-plan',
    },
    'no plan replaces one that is approved': {
      state: { plan: { ...open, state: 'approved' } },
      event: decidedBy('ada', old),
      refused: 'stale-plan',
    },
    'no plan is reopened if none is open': { event: decidedBy('ada', old), refused: 'stale-plan' },
    'no plan is reopened whose units are not known': {
      state: { plan: open },
      event: decidedBy('ada', withoutTerms(old)),
      refused: 'stale-plan',
    },
    'no plan is reopened if the units of the open one are not known': {
      state: { plan: withoutTerms(open) },
      event: decidedBy('ada', old),
      refused: 'stale-plan',
    },
    'the turn of another plan starts nothing': {
      state: { plan: approved },
      event: { kind: 'turn-came', plan: 'other', by: person('ada'), reason: 'wave 1' },
      kinds: [],
    },
    'the plan of an aborted rollout is stale, and says why': {
      state: { plan: approvedByRollout },
      event: turnLost,
      next: { plan: null },
      commands: [
        { state: 'stale', reason: 'its rollout was aborted before its turn' },
        { kind: 'queue-check' },
      ],
    },
    'a run does not begin if its plan may not be applied now': {
      state: { plan: approved, run: queued },
      event: { ...begins, refusal: problem('frozen', 'no') },
      refused: 'frozen',
    },
    'a run does not begin before its plan is approved': {
      state: { plan: planOf(two), run: queued },
      event: begins,
      refused: 'stale-plan',
    },
    'a run does not begin without a plan': { state: { run: queued }, event: begins, refused: 'stale-plan' },
    'a run continues though its plan has expired since': {
      state: {
        plan: { ...approved, state: 'running', expiresAt: ago(1) },
        run: { ...queued, state: 'running' },
      },
      event: begins,
      kinds: ['move-plan', 'move-run', 'set-health'],
    },
    'a run does not begin if the latest check left out another host': {
      state: { plan: { ...approved, later: { leftOut: ['1'], authors: [] } }, run: queued },
      event: { ...begins, leftOut: ['2'] },
      refused: 'lock-lost',
    },
    'the end of a run leaves its plan alone if that waits for another approval': {
      state: { plan: planOf(two), run: queued },
      event: runEnded(),
      next: { plan: { state: 'waiting' } },
      kinds: ['move-run', 'queue-check'],
    },
  });
});

describe('what a command does to the state', () => {
  const plan = planOf(two, { approvals: [approvalBy('ada'), approvalBy('bob', { decision: 'rejected' })] });
  const run = { id: 'run-2', plan: plan.id, state: 'running' } as const;
  const state = stateOf({ plan, run });
  const later = { leftOut: [], authors: [] };
  it('is written in the database, unless it adds a job or stops a worker', () => {
    const kinds = ['set-hold', 'add-run', 'queue-run', 'queue-check', 'stop-run'] as const;
    expect(kinds.filter((kind) => isStoreCommand({ kind } as Command))).toEqual(['set-hold', 'add-run']);
  });
  it('ends the run of the account, and no other one', () => {
    expect(carriedOut(state, { kind: 'move-run', run: 'run-2', state: 'done' }).run).toBeNull();
    expect(carriedOut(state, { kind: 'move-run', run: 'run-1', state: 'done' })).toBe(state);
  });
  it('changes the open plan, and no other one', () => {
    const close = { kind: 'close-plan', state: 'stale', reason: null } as const;
    expect(carriedOut(state, { ...close, plan: 'other' })).toBe(state);
    expect(carriedOut(state, { ...close, plan: plan.id })).toMatchObject({ plan: null, rejections: [] });
    expect(carriedOut(state, { kind: 'keep-plan', plan: 'other', later })).toBe(state);
    expect(carriedOut(stateOf(), { kind: 'add-approval', plan: 'x', approval: approvalBy('ada') })).toEqual(
      stateOf(),
    );
  });
  it('makes a reopened plan wait', () => {
    const reopened = carriedOut(state, { kind: 'reopen-plan', plan: { ...plan, state: 'stale' }, later });
    expect(reopened.plan).toMatchObject({ state: 'waiting', replacedBy: null, later });
  });
  it('replaces the decision of one person only', () => {
    const approval = approvalBy('ada', { by: { kind: 'token', id: 'ada', name: 'ada' } });
    const added = carriedOut(state, { kind: 'add-approval', plan: plan.id, approval });
    expect(added.plan?.approvals).toHaveLength(3);
  });
  it('keeps who rejected a plan', () => {
    const reject = { kind: 'close-plan', plan: plan.id, state: 'rejected', reason: null } as const;
    expect(carriedOut(state, reject).rejections.map(({ by }) => by)).toEqual(['bob']);
    const unknown = stateOf({ plan: planOf(two) });
    expect(carriedOut(unknown, reject).rejections.map(({ by }) => by)).toEqual(['someone']);
  });
});

describe('a rejection', () => {
  const found = foundOf(['2', '3']);
  const rejectedOf = (held: Partial<Rejection>) => rejectedBefore([rejectionOf(two, held)], found, now);
  it('concerns no plan of another tenant', () => {
    expect(rejectedOf({ terms: { ...termsOf(two), account: 'b' } })).toEqual({ kind: 'none', by: '' });
  });
  it('concerns only its own checksum if nobody knows the units', () => {
    expect(rejectedBefore([withoutTerms(rejectionOf(two))], withoutTerms(found), now).kind).toBe('none');
  });
});
