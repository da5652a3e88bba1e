import { planChecksum, readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { runIdOf } from '../../run/state/journal/journal-on.ts';
import type { Origin } from '../../run/state/journal/record.ts';
import { type RolloutHead, rolloutFormatVersion } from '../../run/state/rollout/rollout-record.ts';
import type { RolloutStore } from '../../run/state/rollout/rollout-store.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { AccountsFile } from '../config/read-accounts.ts';
import type { RolloutConfig } from '../config/rollout-config.ts';
import { type AccountSelector, selectAccounts } from '../config/select-accounts.ts';
import { splitIntoWaves } from './split-waves.ts';

/** A rollout before it has waves. */
export interface NewRollout {
  readonly id: string;
  /** When it is started (RFC 3339). */
  readonly at: string;
  readonly origin: Origin;
  readonly indexChecksum: string;
  readonly rules: RolloutConfig;
  readonly canaries: ReadonlySet<string>;
  readonly accounts: readonly { readonly config: AccountConfig; readonly plan: Plan }[];
  readonly leftOut: RolloutHead['left_out'];
}

/** The id of a rollout that is started now. `at` is in RFC 3339. */
export function newRolloutId(at: string): string {
  return runIdOf(at);
}

/** Divides the accounts of a rollout into waves. What its rules leave open, the defaults decide. */
export function rolloutHead({ rules, accounts, ...given }: NewRollout): RolloutHead {
  const { maxFailed = { kind: 'count', count: 0 }, pauseMs = 0, parallel = 4, shares = [100], by } = rules;
  return {
    format_version: rolloutFormatVersion,
    rollout_id: given.id,
    at: given.at,
    origin: given.origin,
    index_checksum: given.indexChecksum,
    max_failed: maxFailed,
    pause_ms: pauseMs,
    parallel,
    waves: splitIntoWaves(
      accounts.map(({ config }) => config),
      { canaries: given.canaries, shares, ...(by !== undefined && { by }) },
    ),
    accounts: accounts.map(({ config, plan }) => ({
      account: config.name,
      company_id: plan.account.companyId,
      service: plan.account.service,
      plan_checksum: planChecksum(plan),
    })),
    left_out: given.leftOut,
  };
}

/** Saves the head of a rollout and the plan of each of its accounts, one after another. `textOf` prints the plan of an account. */
export async function saveRollout(
  store: RolloutStore,
  head: RolloutHead,
  textOf: (account: string) => string,
): Promise<Result<null>> {
  const created = await store.create(head);
  if (!created.ok) return created;
  for (const { account } of head.accounts) {
    const saved = await store.savePlan(head.rollout_id, account, textOf(account));
    if (!saved.ok) return saved;
  }
  return ok(null);
}

/** The saved plan of an account: it must be the one that was approved, whose checksum the rollout recorded. */
export async function readRolloutPlan(
  store: RolloutStore,
  rolloutId: string,
  account: string,
  checksum: string | null,
): Promise<Result<Plan>> {
  const text = await store.readPlan(rolloutId, account);
  if (!text.ok) return text;
  const plan = text.value === null ? undefined : readPlan(text.value, `the rollout ${rolloutId}`);
  if (plan === undefined)
    return failed(problem('plan-file-invalid', `the rollout ${rolloutId} has no plan for "${account}"`));
  if (!plan.ok || planChecksum(plan.value) === checksum) return plan;
  return failed(
    problem('plan-file-checksum', `the saved plan of "${account}" is not the one that was approved`),
  );
}

/** The accounts of the first wave. */
export function canariesOf(
  file: Pick<AccountsFile, 'accounts' | 'labels' | 'isReviewed'>,
  canary: RolloutConfig['canary'],
  named: Pick<AccountSelector, 'flag' | 'place'> = {},
): Result<ReadonlySet<string>> {
  if (canary === undefined || (canary.kind === 'names' && canary.names.length === 0)) return ok(new Set());
  const { names, where } = { names: [], where: undefined, ...canary };
  const selected = selectAccounts(file, { names, ...(where !== undefined && { where }), ...named });
  return selected.ok ? ok(new Set(selected.value.map(({ name }) => name))) : selected;
}
