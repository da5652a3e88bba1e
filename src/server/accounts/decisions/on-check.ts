import type { Health } from '../../../api/accounts.ts';
import { keptUnits } from '../../plans/decisions/kept-units.ts';
import { isUndo, type LaterChecks, type StoredPlan } from '../../plans/decisions/stored-plan.ts';
import type { AccountEvent, CheckDone } from './account-event.ts';
import type { AccountHold, AccountRules, AccountState, Command, Failure } from './account-state.ts';
import { dueAt } from './due.ts';
import { type HeldPlan, heldPlan } from './hold.ts';
import { type Rejected, rejectedBefore } from './rejected.ts';

/** The result for the open plan: the commands, and the plan that is open afterwards. */
interface PlanMove {
  readonly commands: readonly Command[];
  readonly open: StoredPlan | null;
  /** Why its run could not begin until a person changes something: it would only be queued again by the next check. */
  readonly refusal: Failure | null;
  /** The account waits before its next run: only a plan that people have approved begins. */
  readonly isHeld: boolean;
}

/**
 * A check read the fleet. Its result shows, the hold ends if its reason is over, the plan that it found replaces the open
 * one unless people have approved that, and a run begins if the plan may be applied.
 */
export function onCheckDone(
  state: AccountState,
  event: CheckDone,
  rules: AccountRules,
  now: number,
): readonly Command[] {
  if (isOutdated(state, event, now)) return [];
  const hold = holdAfterCheck(state, event);
  const { found } = event;
  const held = found.plan !== null && rules.mode === 'correct' ? heldPlan(state.name, hold, now) : undefined;
  const move = planMove(state, event, rules, held, now);
  const begins = mayBegin(state, move, rules);
  const refusal = begins ? move.refusal : null;
  const run = begins && refusal === null ? runOf(move) : [];
  const hasRun = state.run !== null || run.length > 0;
  const failure =
    found.blocked?.failure ?? refusal ?? (isUndo(move.open) || hasRun ? null : (held?.failure ?? null));
  const health: Health =
    failure === null
      ? healthOf(state, event, move.open, hasRun, rules)
      : found.blocked === null && hold?.isInDoubt === true
        ? 'in_doubt'
        : 'failing';
  const nextAt = dueAt(
    { name: state.name, lastCheckAt: now, attempts: failure === null ? 0 : 1 },
    rules.cadenceMs,
  );
  return [
    ...(hold === state.hold ? [] : [{ kind: 'set-hold', hold } as const]),
    ...move.commands,
    ...run,
    { kind: 'record-check', health, failure, commit: event.commit, nextAt },
  ];
}

/** Starts the run that a pause delayed, or the run of a plan that got none because of a pause or a rollout. */
export function onResumed(state: AccountState, rules: AccountRules, now: number): readonly Command[] {
  const { plan: open, run, hold } = state;
  if (run !== null) return run.state === 'queued' ? [{ kind: 'queue-run' }] : [];
  const isHeld = open?.changes !== 0 && heldPlan(state.name, hold, now) !== undefined;
  return mayBegin(state, { open, isHeld }, rules) ? runOf({ open }) : [];
}

/** Nothing is known about the fleet. Earlier knowledge is kept, and so are approvals. */
export function onCheckFailed(
  state: AccountState,
  event: Extract<AccountEvent, { readonly kind: 'check-failed' }>,
  { cadenceMs }: AccountRules,
  now: number,
): readonly Command[] {
  if (isOutdated(state, event, now)) return [];
  const attempts = (state.failure?.attempts ?? 0) + 1;
  const nextAt = dueAt({ name: state.name, lastCheckAt: now, attempts }, cadenceMs);
  return [{ kind: 'record-check', health: 'failing', failure: event.failure, commit: state.commit, nextAt }];
}

/** A check that began later is written. A clock may have been set back. */
function isOutdated(
  { checkBeganAt }: AccountState,
  { beganAt }: { readonly beganAt: number },
  now: number,
): boolean {
  return checkBeganAt !== null && checkBeganAt >= beganAt && checkBeganAt <= now;
}

/**
 * A hold is over once the desired state changes, or once nothing is left to do. This check does not know that about a
 * hold that is newer than itself.
 */
function holdAfterCheck(
  { hold }: AccountState,
  { holdBefore, commit, found }: CheckDone,
): AccountHold | null {
  if (hold === null) return null;
  const isNewer = hold.run !== holdBefore?.run || hold.at !== holdBefore.at;
  return isNewer || (hold.commit === commit && found.plan !== null) ? hold : null;
}

function planMove(
  state: AccountState,
  event: CheckDone,
  { mode }: AccountRules,
  held: HeldPlan | undefined,
  now: number,
): PlanMove {
  const { plan: open } = state;
  const { plan: found, blocked } = event.found;
  const stays = (commands: readonly Command[] = [], plan = open): PlanMove => ({
    commands,
    open: plan,
    refusal: null,
    isHeld: false,
  });
  if (open?.state === 'running' || isUndo(open)) return stays();
  const closes = (reason: string): readonly Command[] =>
    open === null ? [] : [{ kind: 'close-plan', plan: open.id, state: 'stale', reason }];
  // A plan with errors can't be approved, and neither can an older one that no longer fits.
  if (blocked !== null) return stays(closes(`the plan can't be applied: ${blocked.why}`), null);
  if (found === null) {
    // If the same differences come back some day, a person decides about them again. In mode correct nobody would:
    // someone who undoes a rejected edit, and makes it again, must not get it applied.
    const ends = mode !== 'correct' && state.rejections.length > 0;
    const reason = 'the fleet no longer differs from the desired state';
    return stays([...(ends ? [{ kind: 'end-rejections' } as const] : []), ...closes(reason)], null);
  }
  if (mode === 'observe') return stays(closes('the account is in mode observe'), null);
  const isSame = open !== null && hasSameContent(open, found);
  const isWhole = (open?.later?.leftOut ?? []).length === 0;
  if (open?.terms && open.approvals.length > 0 && found.terms && !(isSame && isWhole)) {
    const kept = keptUnits(
      { terms: open.terms, required: open.required },
      { terms: found.terms, required: found.required },
    );
    if (kept !== undefined) {
      const later = laterOf(open, kept, event.author);
      return {
        ...stays(later === null ? [] : [{ kind: 'keep-plan', plan: open.id, later }]),
        refusal: event.refusals.open,
      };
    }
  }
  const rejected = rejectedBefore(state.rejections, found, now);
  if (rejected.kind === 'all')
    return stays(closes(`the desired state is again what ${rejected.by} rejected`), null);
  const proposed = proposal(found, mode, held, rejected);
  const plan: StoredPlan = { ...found, ...proposed, replacedBy: null, later: null, approvals: [] };
  const isHeld = held !== undefined && found.changes > 0;
  if (isSame && servesAsWell(open, plan, now)) {
    const until = shorterExpiry(open, found, now);
    const commands: readonly Command[] =
      until === null ? [] : [{ kind: 'shorten-plan', plan: open.id, expiresAt: until }];
    return { commands, open, refusal: event.refusals.open, isHeld };
  }
  return {
    commands: [{ kind: 'add-plan', plan }],
    open: plan,
    refusal: event.refusals.found,
    isHeld,
  };
}

type FoundPlan = NonNullable<CheckDone['found']['plan']>;

/** In mode `correct`, the account's policy approves a plan within the limits. */
function proposal(
  { changes, exceeds }: FoundPlan,
  mode: AccountRules['mode'],
  held: HeldPlan | undefined,
  rejected: Rejected,
): Pick<StoredPlan, 'state' | 'reason'> {
  // A status refresh changes nothing, so nobody has to approve it.
  if (changes === 0) return { state: 'approved', reason: null };
  if (rejected.kind === 'some')
    return { state: 'waiting', reason: `it has changes that ${rejected.by} rejected` };
  if (mode !== 'correct' || exceeds) return { state: 'waiting', reason: null };
  return held?.until === 'person'
    ? { state: 'waiting', reason: held.reason }
    : { state: 'approved', reason: null };
}

function hasSameContent(open: StoredPlan, found: FoundPlan): boolean {
  return (
    open.checksum === found.checksum ||
    (open.contentDigest !== null && open.contentDigest === found.contentDigest)
  );
}

/** Whether an open plan with the same content serves as well. The settings may have become stricter meanwhile. */
function servesAsWell(open: StoredPlan, now: StoredPlan, at: number): boolean {
  if (open.expiresAt.getTime() <= at) return false;
  // The reason for the hold no longer applies.
  if (open.state === 'waiting' && open.reason !== null && now.state === 'approved') return false;
  if (open.state === 'approved' && open.approvals.length === 0 && now.state === 'waiting') return false;
  return (
    open.required.approvals >= now.required.approvals && (open.required.notAuthor || !now.required.notAuthor)
  );
}

/** A difference that the time of the check explains, in milliseconds. */
const sameMs = 60_000;

/** When an open plan expires if plans expire sooner after their creation than when it was made. */
function shorterExpiry({ createdAt, expiresAt }: StoredPlan, found: FoundPlan, now: number): Date | null {
  const until = createdAt.getTime() + (found.expiresAt.getTime() - now);
  return until < expiresAt.getTime() - sameMs ? new Date(until) : null;
}

/** Null if it does not differ from the result of the previous check. */
function laterOf(
  open: StoredPlan,
  { leftOut, hasMore }: { readonly leftOut: readonly string[]; readonly hasMore: boolean },
  author: string | null,
): LaterChecks | null {
  const known = open.later ?? { leftOut: [], authors: [] };
  const isNewAuthor = hasMore && author !== null && !known.authors.includes(author);
  const isSame =
    known.leftOut.length === leftOut.length && known.leftOut.every((id, index) => id === leftOut[index]);
  if (!isNewAuthor && isSame) return null;
  return { leftOut, authors: isNewAuthor ? [...known.authors, author] : known.authors };
}

/**
 * Whether an approved plan that has no run gets one. The run of a plan that people approved waits for the end of a
 * pause, and shows that. A plan that a rollout approved, or that is one of its plans, waits for its wave.
 */
function mayBegin(
  { run }: AccountState,
  { open, isHeld }: Pick<PlanMove, 'open' | 'isHeld'>,
  { isPaused, isInRollout }: AccountRules,
): boolean {
  if (open?.state !== 'approved' || run !== null || isInRollout) return false;
  const approver = open.approvals.at(-1);
  return approver === undefined ? !isHeld && !isPaused : approver.via !== 'rollout';
}

function runOf({ open }: Pick<PlanMove, 'open'>): readonly Command[] {
  if (open === null) return [];
  const approver = open.approvals.at(-1);
  const why =
    open.changes === 0
      ? 'the plan changes nothing: it asks hosts to report their status'
      : 'the changes are within the limits of the account';
  return [
    {
      kind: 'add-run',
      plan: open.id,
      by: approver?.by ?? null,
      reason: approver ? approver.comment : why,
      steps: open.calls,
    },
    { kind: 'queue-run' },
  ];
}

/** `converged` only if this read shows it. */
function healthOf(
  { run }: AccountState,
  { found: { differences, installs } }: CheckDone,
  open: StoredPlan | null,
  hasRun: boolean,
  { isPaused }: AccountRules,
): Health {
  if (installs === 'in_doubt') return 'in_doubt';
  if (run !== null && run.state !== 'queued') return 'running';
  if (hasRun || open?.state === 'waiting' || open?.state === 'approved') return 'waiting';
  if (differences === 'some') return 'drifted';
  if (installs === 'in_progress') return 'in_progress';
  if (isPaused) return 'paused';
  return differences === 'ignored' ? 'ignored' : 'converged';
}
