import { ok, type Result } from '../../../core/problem/problem.ts';
import type { AccountEvent } from './account-event.ts';
import { type AccountRules, type AccountState, type Command, carriedOut } from './account-state.ts';
import { onCheckDone, onCheckFailed, onResumed } from './on-check.ts';
import { onDecided, onPlanMade, onTurnCame, onTurnLost } from './on-plan.ts';
import { onRunBegins, onRunEnded } from './on-run.ts';
import { pausedHealth } from './waiting-for.ts';

/** What happens next to an account. */
export interface Decision {
  readonly next: AccountState;
  readonly commands: readonly Command[];
}

/**
 * Decides what happens next to an account: the only place that does. Pure; `now` is in milliseconds. Fails if the event is
 * something that may not happen now, such as an approval by the author; then nothing changes.
 */
export function decide(
  state: AccountState,
  event: AccountEvent,
  rules: AccountRules,
  now: number,
): Result<Decision> {
  const commands = commandsFor(state, event, rules, now);
  if (!commands.ok) return commands;
  return ok({ next: commands.value.reduce(carriedOut, state), commands: commands.value });
}

function commandsFor(
  state: AccountState,
  event: AccountEvent,
  rules: AccountRules,
  now: number,
): Result<readonly Command[]> {
  switch (event.kind) {
    case 'check-done':
      return ok(onCheckDone(state, event, rules, now));
    case 'check-failed':
      return ok(onCheckFailed(state, event, rules, now));
    case 'plan-made':
      return onPlanMade(state, event);
    case 'decided':
      return onDecided(state, event, now);
    case 'run-begins':
      return onRunBegins(state, event, rules, now);
    case 'run-waits':
      return ok(waits(state, event));
    case 'run-progressed':
      return ok(stopOf(state, event));
    case 'source-changed':
    case 'ignore-ended':
      // A run in progress ends with a check.
      return ok(state.run === null || state.run.state === 'queued' ? [{ kind: 'queue-check' }] : []);
    case 'run-ended':
      return ok(state.run?.id === event.end.run.id ? onRunEnded(state, event) : []);
    case 'removed':
      return ok(closed(state, 'its account is no longer configured'));
    case 'given-away':
      return ok([
        ...(state.hold === null ? [] : [{ kind: 'set-hold', hold: null } as const]),
        ...closed(state, 'the name of its account was given to another tenant'),
      ]);
    case 'windows-overridden':
      return ok(state.run?.id === event.run ? [{ kind: 'queue-run' }] : []);
    case 'turn-came':
      return ok(onTurnCame(state, event));
    case 'turn-lost':
      return ok(onTurnLost(state, event));
    case 'stop-asked':
      return ok(
        state.run?.id === event.run
          ? [{ kind: 'move-run', run: event.run, state: 'stopping' }, { kind: 'queue-run' }]
          : [],
      );
    case 'hold-lifted':
      return ok([
        ...(state.hold === null ? [] : [{ kind: 'set-hold', hold: null } as const]),
        ...(state.rejections.length === 0 ? [] : [{ kind: 'end-rejections' } as const]),
        { kind: 'queue-check' },
      ]);
    case 'paused':
      return ok(shownHealth(state, true));
    case 'resumed':
      return ok([...shownHealth(state, false), ...onResumed(state, rules, now)]);
    case 'clock':
      return ok(expired(state, now));
  }
}

/** The next job of a run that has begun records what it waits for. */
function waits(
  { run, health }: AccountState,
  event: Extract<AccountEvent, { readonly kind: 'run-waits' }>,
): readonly Command[] {
  if (run?.id !== event.run || run.state === 'stopping') return [];
  return [
    { kind: 'move-run', run: run.id, state: 'queued' },
    ...(run.state === 'running' ? [{ kind: 'queue-run' } as const] : []),
    ...(health === 'running' ? [{ kind: 'set-health', health: 'waiting' } as const] : []),
  ];
}

/** The plan of an account that leaves is closed. A run of it ends by itself. */
function closed({ plan }: AccountState, reason: string): readonly Command[] {
  return plan === null || plan.state === 'running'
    ? []
    : [{ kind: 'close-plan', plan: plan.id, state: 'stale', reason }];
}

/** A person takes precedence over a window: a run that they stopped must not begin again by itself. */
function stopOf(
  { run }: AccountState,
  event: Extract<AccountEvent, { readonly kind: 'run-progressed' }>,
): readonly Command[] {
  if (run?.id !== event.run) return [];
  if (run.state === 'stopping') return [{ kind: 'stop-run', why: 'person' }];
  return event.isClosed ? [{ kind: 'stop-run', why: 'window' }] : [];
}

/** The health of an account without differences follows the pauses: they begin and end between two checks. */
function shownHealth({ health, hasIgnored }: AccountState, isPaused: boolean): readonly Command[] {
  const shown = pausedHealth(health, hasIgnored, isPaused);
  return shown === null || shown === health ? [] : [{ kind: 'set-health', health: shown }];
}

/**
 * A plan that nobody applied in time is closed, and the next check makes a new one. So is that of a rollout that was stopped
 * and that nobody continued: until then it may be.
 */
function expired({ plan }: AccountState, now: number): readonly Command[] {
  if (plan === null || plan.state === 'running' || plan.expiresAt.getTime() > now) return [];
  const isOfRollout = plan.state === 'approved' && plan.approvals.at(-1)?.via === 'rollout';
  const reason = isOfRollout ? 'its rollout did not apply it in time' : 'nobody applied it in time';
  return [{ kind: 'close-plan', plan: plan.id, state: 'expired', reason }, { kind: 'queue-check' }];
}
