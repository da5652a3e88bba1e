import type { AccountEvent, CheckDone } from '../../src/server/accounts/decisions/account-event.ts';
import type {
  AccountHold,
  AccountRules,
  AccountState,
  Command,
} from '../../src/server/accounts/decisions/account-state.ts';
import { decide } from '../../src/server/accounts/decisions/decide.ts';
import type { StoredPlan } from '../../src/server/plans/decisions/stored-plan.ts';
import type { WideTable } from './table.ts';

const now = Date.UTC(2026, 0, 5, 12);
const hour = 3_600_000;
const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;

const plan: StoredPlan = {
  id: 'plan',
  checksum: 'open',
  changeDigest: 'open',
  contentDigest: 'open',
  state: 'waiting',
  reason: null,
  replacedBy: null,
  source: 'files',
  author: null,
  createdAt: new Date(now - hour),
  expiresAt: new Date(now + 23 * hour),
  changes: 2,
  calls: 2,
  required: { approvals: 1, notAuthor: false, numbers: [] },
  later: null,
  approvals: [],
};
const approvals = [
  { by: ada, at: new Date(now), decision: 'approved', numbers: {}, comment: null, via: 'console' },
] as const;
const approved: StoredPlan = { ...plan, state: 'approved', approvals };
const queued = { id: 'run', plan: 'plan', state: 'queued', waitsFor: null } as const;
const calm: AccountState = {
  name: 'contoso',
  version: 1,
  health: 'converged',
  hasIgnored: false,
  commit: 'c1',
  failure: null,
  hold: null,
  plan: null,
  rejections: [],
  run: null,
  checkBeganAt: now - hour,
};
const hold: AccountHold = {
  kind: 'undo',
  run: 'earlier',
  at: new Date(now).toISOString(),
  commit: 'c1',
  runs: 0,
  isInDoubt: false,
  reason: '',
};
const { state: _state, reason: _reason, replacedBy: _by, later: _later, approvals: _given, ...fresh } = plan;
const found: NonNullable<CheckDone['found']['plan']> = {
  ...fresh,
  id: 'new plan',
  checksum: 'new',
  changeDigest: 'new',
  contentDigest: 'new',
  expiresAt: new Date(now + 24 * hour),
  exceeds: false,
};
const check = (parts: Partial<CheckDone['found']> = {}, more: Partial<CheckDone> = {}): AccountEvent => ({
  kind: 'check-done',
  beganAt: now - 1,
  holdBefore: null,
  commit: 'c1',
  author: null,
  found: { plan: found, blocked: null, differences: 'some', installs: 'none', ...parts },
  refusals: { open: null, found: null },
  ...more,
});
const asDesired = check({ plan: null, differences: 'none' });
const decides = (decision: 'approved' | 'rejected'): AccountEvent => ({
  kind: 'decided',
  plan,
  approver: { subject: ada, email: null, isApprover: true },
  request: { decision, checksum: 'open', numbers: {}, via: 'console' },
});
const end = {
  run: { id: 'run' },
  state: 'done',
  hasBegun: true,
  hasChanged: true,
  reason: 'a call failed',
  at: new Date(now).toISOString(),
} as const;
const begins = { kind: 'run-begins', run: 'run', leftOut: [], refusal: null } as const;
const running = { ...queued, state: 'running' } as const;
const inRun = { ...calm, health: 'running', plan: { ...approved, state: 'running' }, run: running } as const;
const failure = { code: 'network', message: 'x' };

/** An event, for an account in a certain state, and in a certain mode. */
const cases: readonly (readonly [what: string, AccountState, AccountEvent, Partial<AccountRules>?])[] = [
  ['A check finds nothing to do', { ...calm, plan }, asDesired],
  ['A check finds changes, mode `observe`', calm, check(), { mode: 'observe' }],
  ['A check finds changes, mode `propose`', calm, check(), { mode: 'propose' }],
  ['A check finds changes within the limits', calm, check()],
  ['A check finds changes above a limit', calm, check({ plan: { ...found, exceeds: true } })],
  ['A check finds changes while a person pauses them', calm, check(), { isPaused: true }],
  ['A check finds changes that someone undid', { ...calm, hold }, check({}, { holdBefore: hold })],
  [
    'A check finds the open plan again',
    { ...calm, plan },
    check({ plan: { ...found, contentDigest: 'open' } }),
    { mode: 'propose' },
  ],
  [
    'A check finds an error that no approval overrides',
    { ...calm, plan },
    check({ blocked: { why: 'x', failure } }),
  ],
  ['A check fails', { ...calm, plan }, { kind: 'check-failed', beganAt: now - 1, failure }],
  ['A check ends that began before the latest one', calm, check({}, { beganAt: now - 2 * hour })],
  ['The last approval is given', { ...calm, plan }, decides('approved')],
  ['Someone rejects the plan', { ...calm, plan }, decides('rejected')],
  [
    'The wave of the account has come',
    { ...calm, plan: approved },
    { kind: 'turn-came', plan: 'plan', by: ada, reason: 'x' },
  ],
  [
    'Someone aborts the rollout of the account before its turn',
    { ...calm, plan: { ...approved, approvals: [{ ...approvals[0], via: 'rollout' }] } },
    { kind: 'turn-lost', plan: 'plan' },
  ],
  ['A run begins', { ...calm, plan: approved, run: queued }, begins],
  [
    'A run begins without the approvals that its plan needs',
    { ...calm, plan: { ...plan, state: 'approved' }, run: queued },
    begins,
    { mode: 'propose' },
  ],
  [
    'A window is closed, or changes are paused',
    { ...calm, plan: approved, run: queued },
    { kind: 'run-waits', run: 'run' },
  ],
  [
    'Someone overrides the window',
    { ...calm, plan: approved, run: queued },
    { kind: 'windows-overridden', run: 'run' },
  ],
  ['Someone stops the run', inRun, { kind: 'stop-asked', run: 'run' }],
  [
    'Another worker takes over a run whose worker was lost',
    inRun,
    { kind: 'run-begins', run: 'run', leftOut: [], refusal: null },
  ],
  [
    'A window closes while a run is in progress',
    inRun,
    { kind: 'run-progressed', run: 'run', isClosed: true },
  ],
  ['A run ends, verified', inRun, { kind: 'run-ended', reason: null, isForNextPlan: false, end }],
  [
    'A run fails',
    inRun,
    { kind: 'run-ended', reason: 'x', isForNextPlan: false, end: { ...end, state: 'failed' } },
  ],
  [
    'A run ends in doubt',
    inRun,
    { kind: 'run-ended', reason: 'x', isForNextPlan: false, end: { ...end, state: 'in_doubt' } },
  ],
  [
    'A run is refused before its first step',
    { ...calm, plan: approved, run: queued },
    {
      kind: 'run-ended',
      isForNextPlan: false,
      reason: 'x',
      end: { ...end, state: 'failed', hasBegun: false, hasChanged: false },
    },
  ],
  [
    'Someone plans a reversal',
    { ...calm, plan },
    { kind: 'plan-made', problems: [], plan: { ...plan, id: 'undo', source: 'undo of run earlier' } },
  ],
  ['Someone asks for a new plan', { ...calm, hold }, { kind: 'hold-lifted' }],
  ['The source has a new commit', calm, { kind: 'source-changed' }],
  ['Differences are no longer ignored', calm, { kind: 'ignore-ended' }],
  ['The account is removed', { ...calm, plan }, { kind: 'removed' }],
  ['The name of the account is given to another tenant', { ...calm, plan, hold }, { kind: 'given-away' }],
  ['Someone pauses an account without differences', calm, { kind: 'paused' }],
  [
    'A pause ends that kept a plan within the limits from running',
    { ...calm, health: 'waiting', plan: { ...approved, approvals: [] } },
    { kind: 'resumed' },
  ],
  [
    'A pause ends for which a run waited',
    { ...calm, health: 'waiting', plan: approved, run: queued },
    { kind: 'resumed' },
  ],
  [
    'The time of a plan has passed',
    { ...calm, plan: { ...plan, expiresAt: new Date(now - 1) } },
    { kind: 'clock' },
  ],
];

/** The table of the state machine, from the results of `decide`. */
export function decisionTable(): WideTable {
  return {
    head: ['what happens', 'what the server does', 'plan', 'run', 'health'],
    rows: cases.map(([what, state, event, rules = {}]) => {
      const decided = decide(
        state,
        event,
        { mode: 'correct', cadenceMs: hour, isPaused: false, isInRollout: false, ...rules },
        now,
      );
      if (!decided.ok) return [what, `refuses: ${decided.problems[0]?.message}`, '', '', ''];
      const { commands, next } = decided.value;
      const words = commands.map(wordsOf).join('; ');
      const isShown = commands.some(({ kind }) => kind === 'record-check' || kind === 'set-health');
      const health = isShown ? (next.health ?? '') : 'as before';
      return [
        what,
        words === '' ? 'nothing' : words,
        next.plan?.state ?? 'none',
        next.run?.state ?? 'none',
        health,
      ];
    }),
  };
}

function wordsOf(command: Command): string {
  switch (command.kind) {
    case 'set-hold':
      return command.hold === null ? 'ends the hold' : `holds the account (${command.hold.kind})`;
    case 'set-health':
      return 'shows the health';
    case 'record-check':
      return 'records the check';
    case 'add-plan':
      return `opens the new plan (${command.plan.state})`;
    case 'close-plan':
      return `closes the plan (${command.state})`;
    case 'reopen-plan':
      return 'opens the replaced plan again';
    case 'keep-plan':
      return 'keeps the approved units';
    case 'shorten-plan':
      return 'lets the plan expire sooner';
    case 'add-approval':
      return 'records the decision';
    case 'move-plan':
      return `marks the plan ${command.state}`;
    case 'end-rejections':
      return 'ends rejections';
    case 'add-run':
      return 'adds a run';
    case 'move-run':
      return `marks the run ${command.state}`;
    case 'queue-run':
      return 'queues the run';
    case 'queue-check':
      return 'queues a check';
    case 'stop-run':
      return `stops the run at a safe point (${command.why})`;
  }
}
