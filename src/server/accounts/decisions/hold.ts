import type { EndedRunState } from '../../../api/states.ts';
import { grouped } from '../../../core/lib/words.ts';
import type { AccountHold, Failure } from './account-state.ts';
import { backOff } from './due.ts';

/** After this many runs in a row that did not reach the planned state, a person must approve the next one. */
const mostFailedRuns = 5;

/** How a run ended, as far as it decides what mode `correct` may do next. */
export interface HeldEnd {
  readonly run: { readonly id: string };
  readonly state: EndedRunState;
  /** A step began: a run that was refused before that has neither changed anything nor failed. */
  readonly hasBegun: boolean;
  /** The run changed something. */
  readonly hasChanged: boolean;
  /** Why it failed. */
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * What keeps mode `correct` from applying plans by itself after the end of a run. An undone change, or one that someone
 * stopped, must not be applied again; and changes that do not last must not be sent at each check.
 */
export function holdAfter(
  { hold, commit }: { readonly hold: AccountHold | null; readonly commit: string | null },
  { run, state, hasBegun, hasChanged, reason, at }: HeldEnd,
  isUndo: boolean,
): AccountHold | null {
  const known = hold?.commit === commit ? hold : null;
  const common = { run: run.id, at, commit };
  const byPerson = { ...common, runs: 0, isInDoubt: false, reason: '' };
  if (isUndo) return hasChanged ? { ...byPerson, kind: 'undo' } : known;
  if (state === 'failed' && !hasBegun) return known;
  if (state === 'done') return null;
  if (state === 'stopped') return { ...byPerson, kind: 'stopped' };
  if (known !== null && known.kind !== 'failed-runs') return known;
  return {
    ...common,
    kind: 'failed-runs',
    runs: (known?.runs ?? 0) + 1,
    isInDoubt: state === 'in_doubt',
    reason,
  };
}

/** What a check does with a plan that mode `correct` could apply by itself. */
export interface HeldPlan {
  /** `later`: its run begins after a while. `person`: someone must approve it. */
  readonly until: 'later' | 'person';
  /** Why, in plain words. */
  readonly reason: string;
  /** What the account reports; undefined if nothing is wrong. */
  readonly failure?: Failure;
}

/** Undefined if nothing keeps the plan from being applied. `now` is in milliseconds. */
export function heldPlan(account: string, hold: AccountHold | null, now: number): HeldPlan | undefined {
  if (hold === null) return undefined;
  const reason = holdWords(hold);
  if (hold.kind !== 'failed-runs') return { until: 'person', reason };
  const message = 'the last runs of this account did not reach the planned state';
  const retryAt = Date.parse(hold.at) + backOff(account, hold.runs, Number.POSITIVE_INFINITY);
  if (hold.runs >= mostFailedRuns) {
    const hint = `${reason}; fix the cause, then approve the plan, or plan again`;
    return { until: 'person', reason, failure: { code: 'not-converging', message, hint } };
  }
  // The run that is due begins with this check; whether it succeeds, the next check shows.
  if (now >= retryAt) return undefined;
  const at = new Date(retryAt).toISOString();
  const failure: Failure = {
    code: 'not-converging',
    message,
    hint: `${reason}; the next run begins after ${at}`,
    retryAt: at,
  };
  return { until: 'later', reason, failure };
}

/** Why the server applies nothing by itself. */
export function holdWords({ kind, runs, reason }: AccountHold): string {
  switch (kind) {
    case 'undo':
      return 'someone undid a run, so the server does not repeat its changes automatically';
    case 'stopped':
      return 'someone stopped a run, so the server does not start it again automatically';
    case 'failed-runs':
      return `${runs === 1 ? '1 run' : `${grouped(runs)} runs in a row`} did not reach the planned state: ${reason}`;
  }
}
