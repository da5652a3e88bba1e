import { hostname } from 'node:os';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import type { RolloutConfig } from '../../../accounts/config/rollout-config.ts';
import {
  canariesOf,
  newRolloutId,
  rolloutHead,
  saveRollout,
} from '../../../accounts/rollouts/save-rollout.ts';
import type { Subject } from '../../../api/access/grants.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { planChecksum } from '../../../core/plan/document/plan-document.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { coverRollout } from '../../../run/state/covered-state.ts';
import type { Origin } from '../../../run/state/journal/record.ts';
import { originOf } from '../../../run/state/origin/origin-of.ts';
import { userName } from '../../../run/state/origin/read-origin.ts';
import { claimAccounts } from '../../accounts/rules/claim-accounts.ts';
import { readApprovedPlan } from '../../plans/rules/approved-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import { allOrNothing } from '../../store/all-or-nothing.ts';
import type { Store } from '../../store/open-store.ts';

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

/**
 * Saves a rollout of approved plans and queues its first step. Each account's plan was approved by its own checksum,
 * which the rollout records; an account whose plan changes afterwards fails. Refused as a whole if another rollout may
 * still change one of the accounts.
 */
export async function startRollout(start: RolloutStart, parts: RolloutParts): Promise<Result<string>> {
  const at = new Date(parts.clock.now()).toISOString();
  const id = newRolloutId(at);
  await queueRolloutLater(id, parts);
  const begun = await allOrNothing(parts.store, (inside) =>
    begin(start, { id, at }, { ...parts, store: inside }),
  );
  if (begun.ok) await parts.queue.send('rollout', [id]);
  return begun;
}

/**
 * A job for the case that this process ends after a rollout has begun or continues, and before it has queued its job:
 * the accounts would remain claimed by a rollout without a worker. The job of a rollout that did not begin does
 * nothing.
 */
export async function queueRolloutLater(id: string, { queue }: Pick<RolloutParts, 'queue'>): Promise<void> {
  await queue.send('rollout', [id], { delayMs: laterMs });
}

/** Longer than the transaction that lets a rollout begin, in milliseconds. */
const laterMs = 60_000;

async function begin(
  { plans: ids, by, reason, rules = {}, approve }: RolloutStart,
  { id, at: now }: { readonly id: string; readonly at: string },
  parts: RolloutParts,
): Promise<Result<string>> {
  const { settings, store } = parts;
  const names = await accountsOf(ids, store);
  const claimed = await claimAccounts(id, names, store);
  if (claimed !== undefined) return failed(claimed);
  await store.accounts.lock(names);
  const approved = await approve?.(store);
  if (approved?.ok === false) return approved;
  const plans = await readPlans(ids, parts);
  if (!plans.ok) return plans;
  const accounts = [...plans.value.values()];
  const canaries = canariesOf({ ...settings, isReviewed: true }, rules.canary);
  if (!canaries.ok) return canaries;
  const head = rolloutHead({
    id,
    at: now,
    origin: rolloutOrigin(by, reason),
    indexChecksum: sha256Hex(JSON.stringify(accounts.map(({ plan }) => [plan.account, planChecksum(plan)]))),
    rules,
    canaries: canaries.value,
    accounts,
    leftOut: [],
  });
  const saved = await saveRollout(store.rollouts, head, (name) => plans.value.get(name)?.text ?? '');
  if (!saved.ok) return saved;
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

async function accountsOf(plans: readonly string[], store: Pick<Store, 'plans'>): Promise<readonly string[]> {
  const accounts = new Set<string>();
  for (const id of new Set(plans)) {
    const plan = await store.plans.find(id, 'all');
    if (plan !== undefined) accounts.add(plan.account);
  }
  return [...accounts];
}

interface PlanToRollOut {
  readonly config: AccountConfig;
  readonly plan: Plan;
  readonly text: string;
}

/** By the names of their accounts. */
async function readPlans(
  ids: readonly string[],
  { store, settings }: RolloutParts,
): Promise<Result<ReadonlyMap<string, PlanToRollOut>>> {
  const refuse = (message: string) =>
    failed(problem('not-approved', message, { hint: 'choose other plans' }));
  if (ids.length === 0) return refuse('a rollout needs at least one plan');
  const read = new Map<string, PlanToRollOut>();
  for (const id of new Set(ids)) {
    const found = await store.plans.find(id, 'all');
    const config = found && accountNamed(settings, found.account);
    if (config === undefined) return refuse(`the plan ${id} does not exist`);
    const { name } = config;
    if (read.has(name)) return refuse(`there are two plans of the account "${name}"`);
    const approved = await readApprovedPlan({ plan: id, account: name }, { store });
    if (!approved.ok) return approved;
    if (approved.value.record.state === 'running')
      return refuse(`the plan of the account "${name}" is being applied already`);
    read.set(name, { config, plan: approved.value.plan, text: approved.value.document });
  }
  return ok(read);
}

/** Who started, stopped or continued a rollout at the server, and why. */
export function rolloutOrigin(by: Subject, reason: string): Origin {
  return originOf({
    env: { RAMPART_RUN_ACTOR: by.name },
    local: { user: userName(), host: hostname() },
    command: 'server',
    reason,
    redact: (text) => text,
  });
}
