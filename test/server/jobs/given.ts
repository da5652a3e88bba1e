import type { AccountConfig } from '../../../src/accounts/config/account-config.ts';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import type { ServerRun } from '../../../src/server/runs/records/runs.ts';

export const place = { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 };
export const alice = { kind: 'person', id: 'alice', name: 'Alice Doe' } as const;

export type Changing<T> = { -readonly [Key in keyof T]: T[Key] };

/** An account without limits and windows, in mode `propose`. */
export function accountOf(name: string, parts: Partial<AccountConfig> = {}): Changing<AccountConfig> {
  return {
    name,
    files: [],
    mode: 'propose',
    labels: {},
    configuredLabels: new Set(['region']),
    limits: {},
    windows: [],
    place,
    places: {},
    aliases: {},
    isReviewed: true,
    ...parts,
  };
}

/** The approved plan of an account, as far as runs depend on it. */
export function planOf(account: string, plan: Plan, parts: Partial<PlanRecord> = {}): Changing<PlanRecord> {
  return {
    id: `plan-${account}`,
    account,
    checksum: planChecksum(plan),
    state: 'approved',
    source: 'files',
    reason: null,
    approvals: [],
    calls: 1,
    commit: null,
    pullRequest: null,
    ...parts,
  } as unknown as Changing<PlanRecord>;
}

export function runOf(account: string, parts: Partial<ServerRun> = {}): Changing<ServerRun> {
  return {
    id: `run-${account}`,
    account,
    plan: `plan-${account}`,
    state: 'queued',
    by: alice,
    reason: null,
    exitCode: null,
    journal: null,
    override: null,
    endedAt: null,
    progress: {},
    steps: { total: 3, done: 0, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 },
    ...parts,
  } as unknown as Changing<ServerRun>;
}

/** A clock whose time passes only while something waits for it, and then at once. */
export function eagerClock(): Clock & { pass(ms: number): number } {
  let now = Date.now();
  return {
    now: () => now,
    async sleep(ms, signal) {
      await inAWhile();
      signal?.throwIfAborted();
      now += ms;
    },
    pass: (ms) => (now += ms),
  };
}

/** Lets code without an await continue before the call takes effect, the longer the more turns it takes. */
export async function inAWhile(turns = 1): Promise<void> {
  for (let left = turns; left > 0; left -= 1) await new Promise((resolve) => void setImmediate(resolve));
}
