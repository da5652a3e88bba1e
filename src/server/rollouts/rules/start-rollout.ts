import { randomBytes } from 'node:crypto';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import type { RolloutConfig } from '../../../accounts/config/rollout-config.ts';
import { selectAccounts } from '../../../accounts/config/select-accounts.ts';
import { splitIntoWaves } from '../../../accounts/rollouts/split-waves.ts';
import type { Subject } from '../../../api/access/identity.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { coverRollout } from '../../../run/state/covered-state.ts';
import { runIdOf } from '../../../run/state/journal/journal-on.ts';
import { type RolloutHead, rolloutFormatVersion } from '../../../run/state/rollout/rollout-record.ts';
import { claimAccounts } from '../../accounts/rules/claim-accounts.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { readApprovedPlan } from '../../plans/rules/approved-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { allOrNothing } from '../../store/all-or-nothing.ts';
import type { Store } from '../../store/open-store.ts';
import { rolloutOrigin } from './rollout-origin.ts';

export interface RolloutStart {
  /** The ids of approved plans, at most one for each account. */
  readonly plans: readonly string[];
  readonly by: Subject;
  readonly reason: string;
  /** How it goes through the accounts; `rollout:` of the configuration if absent. */
  readonly rules?: RolloutConfig;
  /** Approves the plans that wait, in the same transaction. If it is refused, so is the rollout. */
  readonly approve?: (inside: Store) => Promise<Result<null>>;
}

type RolloutParts = Pick<JobParts, 'settings' | 'store' | 'clock' | 'queue'>;

const usual = { shares: [100], parallel: 4, pauseMs: 0, maxFailed: { kind: 'count', count: 0 } } as const;

/**
 * Saves a rollout of approved plans and queues its first step. Each account's plan was approved by its own checksum,
 * which the rollout records; an account whose plan changes afterwards fails. Refused as a whole if another rollout may
 * still change one of the accounts.
 */
export async function startRollout(start: RolloutStart, parts: RolloutParts): Promise<Result<string>> {
  const at = new Date(parts.clock.now()).toISOString();
  const id = runIdOf(at, randomBytes(3).toString('hex'));
  await queueRolloutLater(id, parts);
  const begun = await allOrNothing(parts.store, (inside) =>
    begin(start, { id, at }, { ...parts, store: inside }),
  );
  if (begun.ok) await parts.queue.send('rollout', [{ key: id }]);
  return begun;
}

/**
 * A job for the case that this process ends after a rollout has begun or goes on, and before it has queued its job: the
 * accounts would stay claimed by a rollout that nobody works on. The job of a rollout that did not begin does nothing.
 */
export async function queueRolloutLater(id: string, { queue }: Pick<RolloutParts, 'queue'>): Promise<void> {
  await queue.send('rollout', [{ key: id }], { delayMs: laterMs });
}

/** Longer than the transaction that lets a rollout begin, in milliseconds. */
const laterMs = 60_000;

async function begin(
  { plans: ids, by, reason, rules = {}, approve }: RolloutStart,
  { id, at: now }: { readonly id: string; readonly at: string },
  parts: RolloutParts,
): Promise<Result<string>> {
  const { settings, store } = parts;
  const claimed = await claim(id, ids, store);
  if (claimed !== undefined) return failed(claimed);
  await store.accounts.lock(await accountsOf(ids, store));
  const approved = await approve?.(store);
  if (approved?.ok === false) return approved;
  const plans = await readPlans(ids, parts);
  if (!plans.ok) return plans;
  const canaries = canariesOf(rules, settings);
  if (!canaries.ok) return canaries;
  const chosen = plans.value.map(({ account }) => account);
  const waves = splitIntoWaves(chosen, {
    canaries: canaries.value,
    shares: rules.shares ?? usual.shares,
    ...(rules.by === undefined ? {} : { by: rules.by }),
  });
  const accounts = plans.value.map(({ record, companyId, service }) => ({
    account: record.account,
    company_id: companyId,
    service,
    plan_checksum: record.checksum,
  }));
  const head: RolloutHead = {
    format_version: rolloutFormatVersion,
    rollout_id: id,
    at: now,
    origin: rolloutOrigin(by, reason),
    index_checksum: sha256Hex(JSON.stringify(accounts)),
    max_failed: rules.maxFailed ?? usual.maxFailed,
    pause_ms: rules.pauseMs ?? usual.pauseMs,
    parallel: rules.parallel ?? usual.parallel,
    waves: waves.map(({ name, isCanary, accounts: names }) => ({
      name,
      is_canary: isCanary,
      accounts: [...names],
    })),
    accounts,
    left_out: [],
  };
  const created = await store.rollouts.create(head);
  if (!created.ok) return created;
  for (const { record, text } of plans.value) {
    const saved = await store.rollouts.savePlan(id, record.account, text);
    if (!saved.ok) return saved;
  }
  const begun = await store.rollouts.append(id, 0, [{ type: 'begun', at: now }]);
  if (!begun.ok) return begun;
  store.audit([
    {
      kind: 'rollout-started',
      origin: head.origin,
      what: {
        rollout: id,
        accounts: accounts.length,
        index_checksum: head.index_checksum,
        covers: coverRollout(head),
      },
    },
  ]);
  return ok(id);
}

async function claim(
  rollout: string,
  plans: readonly string[],
  store: Pick<Store, 'plans' | 'rolloutAccounts' | 'rollouts'>,
): Promise<Problem | undefined> {
  return claimAccounts(rollout, await accountsOf(plans, store), store);
}

async function accountsOf(plans: readonly string[], store: Pick<Store, 'plans'>): Promise<readonly string[]> {
  const accounts = new Set<string>();
  for (const id of new Set(plans)) {
    const plan = await store.plans.find(id, 'all');
    if (plan !== undefined) accounts.add(plan.account);
  }
  return [...accounts];
}

interface ReadPlan {
  readonly record: PlanRecord;
  readonly account: AccountConfig;
  readonly companyId: string | null;
  readonly service: string;
  readonly text: string;
}

async function readPlans(
  ids: readonly string[],
  { store, settings }: RolloutParts,
): Promise<Result<readonly ReadPlan[]>> {
  const refuse = (message: string) =>
    failed(problem('not-approved', message, { hint: 'choose other plans' }));
  if (ids.length === 0) return refuse('a rollout needs at least one plan');
  const read: ReadPlan[] = [];
  for (const id of new Set(ids)) {
    const found = await store.plans.find(id, 'all');
    const account = settings.accounts.find(({ name }) => name === found?.account);
    if (found === undefined || account === undefined) return refuse(`the plan ${id} does not exist`);
    if (read.some((each) => each.account.name === account.name))
      return refuse(`there are two plans of the account "${account.name}"`);
    const approved = await readApprovedPlan({ plan: id, account: account.name }, { store });
    if (!approved.ok) return approved;
    if (approved.value.record.state === 'running')
      return refuse(`the plan of the account "${account.name}" is being applied already`);
    const { companyId, service } = approved.value.plan.account;
    const text = (await store.plans.document(id, 'all')) ?? '';
    read.push({ record: found, account, companyId, service, text });
  }
  return ok(read);
}

function canariesOf(
  { canary }: RolloutConfig,
  { accounts, labels }: RolloutParts['settings'],
): Result<ReadonlySet<string>> {
  if (canary === undefined) return ok(new Set());
  const selected = selectAccounts(
    { accounts, labels, isReviewed: true },
    canary.kind === 'names' ? { names: canary.names } : { names: [], where: canary.where },
  );
  return selected.ok ? ok(new Set(selected.value.map(({ name }) => name))) : selected;
}
