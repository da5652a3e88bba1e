import { openAccount } from '../../../accounts/engine/open-account.ts';
import { createPlanner } from '../../../accounts/engine/planning.ts';
import { inventoryInState, readLive } from '../../../accounts/engine/read-facts.ts';
import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import { createRedaction } from '../../../core/lib/redaction.ts';
import { joinNeeds } from '../../../core/model/facts.ts';
import { withAllowedDeletions } from '../../../core/plan/allowed-deletions.ts';
import { comparePlans } from '../../../core/plan/drift/three-way.ts';
import { needsOfDesired } from '../../../core/plan/intents/needs.ts';
import type { Comparison, Plan } from '../../../core/plan/types/plan.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { engineOf } from '../../accounts/rules/engine-of.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { AccountDraft } from './draft-proposal.ts';

export interface ProposedPlan {
  readonly plan: Plan;
  /** Compared with the plan of the desired state without the edits. */
  readonly comparison: Comparison;
}

/** How long a person waits for the rate limit of an account, in milliseconds. */
const maxWaitMs = 20_000;

/** Plans an account with the proposed desired state. Sends only reads. */
export async function planProposal(
  { config, before, after }: AccountDraft,
  parts: JobParts,
  signal: AbortSignal,
): Promise<Result<ProposedPlan>> {
  const redaction = createRedaction();
  const engine = { ...engineOf(config, parts, redaction, signal), maxWaitMs };
  const connection = await openAccount(config, engine);
  if (!connection.ok) return connection;
  try {
    const { clock, state } = parts;
    const needs = joinNeeds([needsOfDesired(before), needsOfDesired(after)]);
    const options = { clock, inventory: inventoryInState(state) };
    const fleet = await readLive(connection.value, after, needs, options);
    if (!fleet.ok) return fleet;
    const { runs } = connection.value;
    const planOf = async (desired: AccountDraft['after']) => {
      const planner = await createPlanner({ ...fleet.value, desired, operator: config, runs, clock });
      return planner.ok ? planner.value.planOn(fleet.value.observed) : planner;
    };
    const base = await planOf(before);
    if (!base.ok) return base;
    const plan = await planOf(after);
    if (!plan.ok) return plan;
    const source = 'the desired state without the patch';
    return ok({
      plan: withAllowedDeletions(plan.value, before, after),
      comparison: comparePlans(plan.value, { plan: base.value, source }, undefined),
    });
  } catch (error) {
    return failed(unforeseen(error));
  } finally {
    await connection.value.close();
  }
}
