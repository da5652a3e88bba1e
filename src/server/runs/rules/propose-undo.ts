import { openAccount } from '../../../accounts/engine/open-account.ts';
import { planUndoOfRun } from '../../../accounts/engine/plan-undo.ts';
import type { Subject } from '../../../api/access/grants.ts';
import { createRedaction } from '../../../core/lib/redaction.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { engineOf } from '../../accounts/rules/engine-of.ts';
import { happen } from '../../accounts/rules/happen.ts';
import { undoSource } from '../../plans/decisions/stored-plan.ts';
import { freshPlan } from '../../plans/rules/new-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed, toTenant } from '../../settings/configured-account.ts';
import type { ServerRun } from '../records/runs.ts';
import { journalsOf } from './run-record.ts';

/**
 * Plans the reversal of a run that has ended, as a plan that waits for approval in every mode. Returns the id of the
 * plan.
 */
export async function proposeUndo(run: ServerRun, by: Subject, parts: JobParts): Promise<Result<string>> {
  const journals = journalsOf(run);
  const account = accountNamed(parts.settings, run.account);
  if (account === undefined)
    return failed(problem('configuration', `the account "${run.account}" is no longer configured`));
  if (run.endedAt === null)
    return failed(problem('usage', 'the run has not ended', { hint: 'stop it first, or wait for its end' }));
  if (journals.length === 0)
    return failed(problem('usage', 'the run has changed nothing, so there is nothing to undo'));
  const connection = await openAccount(
    account,
    engineOf(account, parts, createRedaction(), new AbortController().signal),
  );
  if (!connection.ok) return connection;
  try {
    const { state, clock } = parts;
    const undo = await planUndoOfRun(connection.value, journals, { state, clock, operator: account });
    if (!undo.ok) return undo;
    const { plan } = undo.value;
    const origin = { source: `${undoSource}${run.id}`, commit: null, author: by.name };
    const fresh = freshPlan(plan, account, origin, parts);
    const waiting = {
      ...fresh.plan,
      state: 'waiting',
      reason: null,
      replacedBy: null,
      later: null,
      approvals: [],
    } as const;
    const made = await happen(
      account.name,
      { kind: 'plan-made', plan: waiting, problems: plan.problems },
      { ...parts, tenant: toTenant(account, parts.env) },
      { plan: () => fresh.details() },
    );
    return made.ok ? ok(waiting.id) : made;
  } finally {
    await connection.value.close();
  }
}
