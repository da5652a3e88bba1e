import { defined } from '../../../core/lib/defined.ts';
import { type Account, accountOfRecord } from '../../../core/model/account.ts';
import type { RolloutEvent, RolloutHead, RolloutStopKind } from './rollout-record.ts';

/** A rollout as it is stored: its head and its events. The revision is the number of appended entries. */
export interface RolloutLog {
  readonly head: RolloutHead;
  readonly events: readonly RolloutEvent[];
  readonly revision: number;
}

/**
 * `draft`: its plans are not all saved, and nothing was applied. `running`: a process runs it, or died. `stopped`: it
 * can be continued.
 */
export const rolloutStates = [
  'draft',
  'running',
  'stopped',
  'completed',
  'aborted',
  'undoing',
  'undone',
] as const;
export type RolloutState = (typeof rolloutStates)[number];

export const rolloutAccountStatuses = [
  'pending',
  'running',
  'done',
  'failed',
  'skipped',
  'undone',
  'undo-failed',
] as const;
export type RolloutAccountStatus = (typeof rolloutAccountStatuses)[number];

export interface RolloutAccount {
  readonly name: string;
  /** The index of its wave; null for an account that is left out. */
  readonly wave: number | null;
  /** Null for an account without a plan. */
  readonly account: Account | null;
  readonly planChecksum: string | null;
  readonly status: RolloutAccountStatus;
  readonly exitCode: number | null;
  readonly runId: string | null;
  /** Why it failed, was skipped or is pending again. */
  readonly why: string | null;
}

export interface RolloutStop {
  readonly kind: RolloutStopKind;
  readonly account?: string;
  readonly why: string;
}

/** The state of a rollout after all its events. */
export interface Rollout {
  readonly id: string;
  readonly head: RolloutHead;
  readonly state: RolloutState;
  readonly revision: number;
  /** The limit that holds now: a continuation may change it. */
  readonly maxFailed: RolloutHead['max_failed'];
  /** In the order of the waves, then those that are left out. */
  readonly accounts: ReadonlyMap<string, RolloutAccount>;
  /** Why it stopped; null unless the state is `stopped`. */
  readonly stop: RolloutStop | null;
  /** The time of its last event (RFC 3339). */
  readonly lastAt: string;
  /** When an account was done or failed last (RFC 3339): the pause before the next wave starts then. */
  readonly lastEndAt: string | null;
}

/** The key of a rollout's lock, which is a lease like that of an account. */
export function rolloutLockKey(rolloutId: string): Account {
  return { companyId: rolloutId, service: 'rollout' };
}

/** The accounts that a continuation would apply. */
export function accountsLeft({ accounts }: Rollout): readonly RolloutAccount[] {
  return [...accounts.values()].filter(({ status, wave }) => wave !== null && status !== 'done');
}

/** Whether a rollout can go on. One that is running goes on by itself, unless its process died. */
export function mayContinue(rollout: Rollout): boolean {
  const { state } = rollout;
  const isOpen = state === 'running' || state === 'stopped' || state === 'completed';
  return isOpen && accountsLeft(rollout).length > 0;
}

export function mayAbort({ state }: Rollout): boolean {
  return state === 'running' || state === 'stopped';
}

export function rolloutOf({ head, events, revision }: RolloutLog): Rollout {
  const fold = foldRollout(head);
  fold.add(events);
  return fold.rollout(revision);
}

/** Adds events one after another. The accounts of all rollouts that it returns are the same, always current map. */
export function foldRollout(head: RolloutHead) {
  const accounts = new Map(startAccounts(head).map((account) => [account.name, account]));
  let state: RolloutState = 'draft';
  let stop: RolloutStop | null = null;
  let maxFailed = head.max_failed;
  let lastAt = head.at;
  let lastEndAt: string | null = null;
  const change = (name: string, changes: Partial<RolloutAccount>) => {
    const account = accounts.get(name);
    if (account !== undefined) accounts.set(name, { ...account, ...changes });
  };
  const add = (event: RolloutEvent): void => {
    switch (event.type) {
      case 'begun':
        state = 'running';
        break;
      case 'continued':
        state = 'running';
        stop = null;
        maxFailed = event.max_failed ?? maxFailed;
        // Failed accounts are applied again: their saved plans treat finished steps as done.
        for (const { name, status, wave } of accounts.values())
          if (status === 'failed' && wave !== null) change(name, { status: 'pending' });
        break;
      case 'account-started':
        change(event.account, { status: 'running', exitCode: null, why: null });
        break;
      case 'account-ended':
        change(event.account, endOf(event));
        if (event.status !== 'pending') lastEndAt = event.at;
        break;
      case 'stopped':
        if (state !== 'running') break;
        state = 'stopped';
        stop = { kind: event.reason, why: event.why, ...defined({ account: event.account }) };
        break;
      case 'completed':
        if (state === 'running') state = 'completed';
        break;
      case 'aborted':
        state = 'aborted';
        break;
      case 'undo-started':
        state = 'undoing';
        break;
      case 'account-undone':
        change(event.account, {
          ...endOf(event),
          status: event.status === 'undone' ? 'undone' : 'undo-failed',
        });
        break;
      case 'undo-ended':
        state = 'undone';
        break;
    }
  };
  return {
    add(events: readonly RolloutEvent[]): void {
      for (const event of events) add(event);
      lastAt = events.at(-1)?.at ?? lastAt;
    },
    rollout: (revision: number): Rollout => ({
      id: head.rollout_id,
      head,
      state,
      revision,
      maxFailed,
      accounts,
      stop: state === 'stopped' ? stop : null,
      lastAt,
      lastEndAt,
    }),
  };
}

function endOf(event: Extract<RolloutEvent, { type: 'account-ended' | 'account-undone' }>) {
  return {
    status: event.status as RolloutAccountStatus,
    exitCode: event.exit_code,
    ...defined({ runId: event.run_id }),
    why: event.why ?? null,
  };
}

function startAccounts(head: RolloutHead): readonly RolloutAccount[] {
  const planned = new Map(head.accounts.map((each) => [each.account, each]));
  const inWaves = head.waves.flatMap(({ accounts }, wave) =>
    accounts.flatMap((name): RolloutAccount[] => {
      const plan = planned.get(name);
      if (plan === undefined) return [];
      const { plan_checksum: planChecksum } = plan;
      return [{ ...blank(name), wave, account: accountOfRecord(plan), planChecksum, status: 'pending' }];
    }),
  );
  const leftOut = head.left_out.map(({ account, status, exit_code: exitCode, why }) => ({
    ...blank(account),
    status,
    exitCode,
    why,
  }));
  return [...inWaves, ...leftOut];
}

function blank(name: string): Omit<RolloutAccount, 'status'> {
  return { name, wave: null, account: null, planChecksum: null, exitCode: null, runId: null, why: null };
}
