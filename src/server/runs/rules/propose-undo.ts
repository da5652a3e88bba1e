import { openAccount } from '../../../accounts/engine/open-account.ts';
import { planUndo } from '../../../accounts/engine/plan-undo.ts';
import { createRedaction } from '../../../accounts/engine/redaction.ts';
import { isEmpty } from '../../../core/plan/types/plan.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { engineOf } from '../../accounts/rules/engine-of.ts';
import type { Subject } from '../../database/tables.ts';
import { undoSource } from '../../plans/records/plan-record.ts';
import { propose } from '../../plans/rules/propose-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/account-named.ts';
import { toTenant } from '../../settings/account-service.ts';
import type { RunRecord } from '../records/runs.ts';
import { journalsOf } from './run-record.ts';

/**
 * Plans the reversal of a run that has ended, as a plan that waits for approval in every mode. Returns the id of the
 * plan.
 */
export async function proposeUndo(run: RunRecord, by: Subject, parts: JobParts): Promise<Result<string>> {
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
    const undo = await planUndo(connection.value, journals, { state, clock, operator: account });
    if (!undo.ok) return undo;
    const { plan } = undo.value;
    if (isEmpty(plan))
      return failed(problem('usage', 'no change of this run can be undone'), ...plan.problems);
    const tenant = toTenant(account, parts.env);
    const origin = { source: `${undoSource}${run.id}`, commit: null, author: by.name, tenant };
    const proposed = await propose(plan, account, origin, 'waiting', parts);
    if (proposed !== undefined) return ok(proposed.id);
    return failed(
      problem('lock-held', 'a plan of this account is running', { hint: 'try again after its end' }),
    );
  } finally {
    await connection.value.close();
  }
}
